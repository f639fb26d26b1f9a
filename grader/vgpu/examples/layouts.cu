// The same work on two layouts: thread i doubles the mass of particle i.

struct Particle {
    float x, y, z, mass;
};

extern "C" __global__ void structures(Particle* particles) {
    particles[blockIdx.x * blockDim.x + threadIdx.x].mass *= 2;
}

extern "C" __global__ void arrays(float* masses) {
    masses[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}
