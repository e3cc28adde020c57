// SPDX-License-Identifier: MIT
// The stack in MuJoCo, as it comes and with the stiffest contacts that its step allows (peers.sh
// compiles it).
#include <mujoco/mujoco.h>

#include "peer_stack.h"

static int write_model(const char* path, const char* solref)
{
    FILE* f = fopen(path, "w");
    if (f == NULL) return 1;
    fprintf(f,
            "<mujoco><option timestep='%g' gravity='0 0 -9.81' cone='elliptic'/>\n"
            "<default><geom friction='0.5 0.005 0.0001' solref='%s'/></default>\n"
            "<worldbody><geom type='plane' size='5 5 0.1'/>\n",
            DT, solref);
    for (int k = 0; k < CUBES; k++)
        fprintf(f,
                "<body pos='0 0 %g'><freejoint/><geom type='box' size='%g %g %g' mass='%g'/>"
                "</body>\n",
                EDGE * (k + 0.5), EDGE / 2, EDGE / 2, EDGE / 2, peer_mass(k));
    fprintf(f, "</worldbody></mujoco>\n");
    return fclose(f);
}

static int run(const char* name, const char* solref)
{
    char error[500] = "";
    if (write_model("stack.xml", solref) != 0) return 1;
    mjModel* model = mj_loadXML("stack.xml", NULL, error, sizeof error);
    if (model == NULL) {
        printf("MuJoCo: %s\n", error);
        return 1;
    }
    mjData* data = mj_makeData(model);
    peer_stack t = {0};
    const clock_t begin = clock();
    for (int s = 0; s < STEPS; s++) {
        double x[CUBES][3];
        mj_step(model, data);
        for (int k = 0; k < CUBES; k++)
            for (int d = 0; d < 3; d++) x[k][d] = data->xpos[3 * (k + 1) + d];
        peer_measure(&t, (const double(*)[3])x, 2);
    }
    peer_print(name, &t, begin);
    mj_deleteData(data);
    mj_deleteModel(model);
    return 0;
}

int main(void)
{
    return run("MuJoCo, defaults", "0.02 1") + run("MuJoCo, solref 2 ms", "0.002 1");
}
