// What device code may say in C++ beyond arithmetic: functions through pointers and tables, virtual
// functions, lambdas, memory of its own. language_test.cpp knows the results.
#include <cassert>
#include <cstdio>

#define KERNEL extern "C" __global__ void

using Operation = int (*)(int, int);
__device__ int add(int a, int b) {
    return a + b;
}
__device__ int subtract(int a, int b) {
    return a - b;
}
__device__ __noinline__ int power(int a, int b) {
    return b <= 0 ? 1 : a * power(a, b - 1);
}
__device__ Operation operations[3] = {add, subtract, power};
__device__ Operation chosen = subtract;

KERNEL table_of_functions(int* out) {
    const int i = threadIdx.x;
    out[i] = operations[i % 3](i, 3);
}

/// Only one lane in four calls; the others must find their registers as they were.
KERNEL guarded_pointer(int* out) {
    const int i = threadIdx.x;
    int x = i * 7;
    if (i % 4 == 1) x += operations[i % 3](i, 2);
    out[i] = x;
}

/// The address goes through memory: another kernel calls what this one chose.
KERNEL choose(Operation* to, int which) {
    *to = operations[which];
}
KERNEL use_chosen(Operation* from, int* out) {
    out[threadIdx.x] = (*from)(threadIdx.x, 5) + chosen(1, 9);
}

/// The host never set this one.
__device__ volatile Operation nothing;
KERNEL call_null(int* out) {
    const Operation maybe = nothing;
    out[threadIdx.x] = (threadIdx.x == 3 ? maybe : operations[0])(1, 2);
}
KERNEL call_data(int* out) {
    out[threadIdx.x] = reinterpret_cast<Operation>(out)(1, 2);
}
KERNEL call_another(int* out) {
    using Other = double (*)(double, double, double);
    out[threadIdx.x] = int(reinterpret_cast<Other>(operations[threadIdx.x % 3])(1, 2, 3));
}

/// Two functions that call each other, and one that comes back through a pointer.
__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n) {
    return n == 0 ? true : is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(unsigned n) {
    return n == 0 ? false : is_even(n - 1);
}
KERNEL mutual(int* out) {
    out[threadIdx.x] = is_even(threadIdx.x) ? 1 : 0;
}

using Visit = int (*)(int);
__device__ int visit_children(int node);
__device__ Visit visit = visit_children;
__device__ int visit_children(int node) {
    return node > 20 ? 1 : node + visit(2 * node + 1) + visit(2 * node + 2);
}
KERNEL tree(int* out) {
    out[threadIdx.x] = visit(threadIdx.x % 4);
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual int corners() const { return 0; }
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float a;
    __device__ explicit Square(float side) : a(side) {}
    __device__ float area() const override { return a * a; }
    __device__ int corners() const override { return 4; }
};
struct Disc : Shape {
    float r;
    __device__ explicit Disc(float radius) : r(radius) {}
    __device__ float area() const override { return 3 * r * r; }
};
KERNEL shapes(float* out) {
    const int i = threadIdx.x;
    Shape* shape = i % 2 != 0 ? static_cast<Shape*>(new Square(i)) : new Disc(i);
    out[i] = shape->area() + 1000 * shape->corners();
    delete shape;
}

template <class F>
__device__ __noinline__ int apply_twice(F f, int x) {
    return f(f(x));
}
KERNEL lambdas(int* out, int by) {
    const int i = threadIdx.x;
    out[i] = apply_twice([=](int x) { return x * by + i; }, i);
}

/// A linked list of a thread's own, built and taken apart.
struct Node {
    int value;
    Node* next;
};
KERNEL lists(int* out, int n) {
    Node* head = nullptr;
    for (int k = 0; k < n; ++k) head = new Node{int(threadIdx.x) * k, head};
    int sum = 0;
    while (head) {
        sum += head->value;
        Node* gone = head;
        head = head->next;
        delete gone;
    }
    out[threadIdx.x] = sum;
}

KERNEL keep(int** out, int n) {
    int* mine = static_cast<int*>(malloc(n * sizeof(int)));
    if (mine)
        for (int k = 0; k < n; ++k) mine[k] = threadIdx.x + k;
    out[threadIdx.x] = mine;
}
KERNEL use_kept(int** in, int* out, int n) {
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += in[threadIdx.x][k];
    free(in[threadIdx.x]);
    out[threadIdx.x] = sum;
}
KERNEL past_end(int n) {
    int* mine = static_cast<int*>(malloc(n * sizeof(int)));
    mine[n + threadIdx.x] = 1;
}
KERNEL after_free(int* out) {
    int* mine = static_cast<int*>(malloc(64));
    mine[3] = 5;
    *out = mine[3];
    free(mine);
    *out += *(volatile int*)(mine + 3);
}
KERNEL free_twice() {
    void* mine = malloc(40);
    free(mine);
    free(mine);
}
KERNEL free_inside() {
    char* mine = static_cast<char*>(malloc(40));
    free(mine + 8);
}

/// A local array as long as the kernel's argument says.
__device__ __noinline__ int sum_of_squares(int n) {
    int* squares = static_cast<int*>(alloca(n * sizeof(int)));
    for (int k = 0; k < n; ++k) squares[k] = k * k;
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += squares[(k * 5) % n];
    return sum;
}
KERNEL dynamic_arrays(int* out, int n) {
    int* mine = static_cast<int*>(alloca(n * sizeof(int)));
    for (int k = 0; k < n; ++k) mine[k] = sum_of_squares(k % 7 + 2 + threadIdx.x % 3);
    int sum = 0;
    for (int k = 0; k < n; ++k) sum += mine[(k * 3) % n];
    out[threadIdx.x] = sum;
}

KERNEL print_much(const char* none) {
    printf(
        "%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
        "%d %d\n",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
        26, 27, 28, 29, 30, 31, 32);
    printf("%5.1f|%-5d|%05d|%x|%X|%o|%e|%g|%c|%s|%p|%%|%lld|%zu|%hhd|%*d\n", 1.25, 7, 42, 255, 255,
           8, 1234.5, 0.0001, 'c', "text", none, -1ll, sizeof(int), 300, 6, 9);
    const float4 v = make_float4(1, 2, 3, 4);
    printf("%f %f %f %f %s\n", v.x, v.y, v.z, v.w, threadIdx.x == 0 ? "first" : "other");
}

KERNEL asserting(int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(i < n);
}

/// Objects may have members that nobody sets, and padding: copying those is no mistake.
struct Partly {
    char tag;
    double set, unset;
};
__device__ __noinline__ Partly make(int x) {
    Partly p;
    p.tag = 't';
    p.set = x;
    return p;
}
__device__ __noinline__ double set_of(Partly p) {
    return p.set;
}
KERNEL partly_set(int* out) {
    const Partly p = make(threadIdx.x), copy = p;
    out[threadIdx.x] = int(set_of(copy)) + copy.tag;
}
KERNEL reads_unset(int* out) {
    Partly p;
    p.set = threadIdx.x;
    out[threadIdx.x] = p.set + p.unset > 0 ? 1 : 2;
}
