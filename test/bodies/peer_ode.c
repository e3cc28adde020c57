// SPDX-License-Identifier: MIT
// The stack in ODE, with its exact and its iterative solver (peers.sh compiles it).
#include <ode/ode.h>
#include <stdbool.h>

#include "peer_stack.h"

static dWorldID world;
static dJointGroupID contacts;

static void meet(void* user, dGeomID a, dGeomID b)
{
    (void)user;
    dContact contact[8];
    const int n = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int k = 0; k < n; k++) {
        contact[k].surface.mode = dContactApprox1;
        contact[k].surface.mu = 0.5;
        dJointAttach(dJointCreateContact(world, contacts, &contact[k]), dGeomGetBody(a),
                     dGeomGetBody(b));
    }
}

static void run(bool quick)
{
    world = dWorldCreate();
    contacts = dJointGroupCreate(0);
    const dSpaceID space = dHashSpaceCreate(NULL);
    dBodyID cubes[CUBES];
    dWorldSetGravity(world, 0, -9.81, 0);
    dCreatePlane(space, 0, 1, 0, 0);
    for (int k = 0; k < CUBES; k++) {
        dMass mass;
        cubes[k] = dBodyCreate(world);
        dMassSetBoxTotal(&mass, peer_mass(k), EDGE, EDGE, EDGE);
        dBodySetMass(cubes[k], &mass);
        dBodySetPosition(cubes[k], 0, EDGE * (k + 0.5), 0);
        dGeomSetBody(dCreateBox(space, EDGE, EDGE, EDGE), cubes[k]);
    }
    peer_stack t = {0};
    const clock_t begin = clock();
    for (int s = 0; s < STEPS; s++) {
        double x[CUBES][3];
        dSpaceCollide(space, NULL, meet);
        if (quick)
            dWorldQuickStep(world, DT);
        else
            dWorldStep(world, DT);
        dJointGroupEmpty(contacts);
        for (int k = 0; k < CUBES; k++)
            for (int d = 0; d < 3; d++) x[k][d] = dBodyGetPosition(cubes[k])[d];
        peer_measure(&t, x, 1);
    }
    peer_print(quick ? "ODE, quick step" : "ODE, step", &t, begin);
    dSpaceDestroy(space);
    dJointGroupDestroy(contacts);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    run(false);
    run(true);
    dCloseODE();
    return 0;
}
