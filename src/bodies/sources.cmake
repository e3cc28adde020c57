firn_sources(bodies
    bodies.c bodies_save.c bodies_step.c contact_find.c contacts.c joint.c joints.c rest.c)
