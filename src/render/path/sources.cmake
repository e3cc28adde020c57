# One call per line of work: what light meets; what a picture gathers.
firn_sources(render/path medium.c)
firn_sources(render/path surface.c)
firn_sources(render/path film.c develop.c environment.c)
