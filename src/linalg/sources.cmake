firn_sources(linalg cr.c)
