/* Random images against the verifier, and whatever it lets through against the machine: built by tests alone, with
   sanitizers. With clang's -fsanitize=fuzzer it is a fuzzer; with -DFUZZ_MAIN a program that runs the files it is given.

   What must hold: no input makes the core read or write where it must not, overflow, leak or run on without counting
   work. That an image makes no sense is for the verifier to say, or for a fault while it runs. */
#include "state.h"

#include <stdlib.h>

#define FUZZ_WORK 20000     /* steps between two questions */
#define FUZZ_DECISIONS 24
#define FUZZ_BYTES (1 << 22) /* of memory for one state: larger programs are not run */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* Everything that a caller may ask about the state that is open. */
static void look(Vm *vm, const VmProgram *program) {
    int parts = vm_score_parts(program);
    Word *points = malloc(sizeof(Word) * (size_t)(parts + 1));
    if (!points) return;
    for (int seat = 0; seat < vm_players(program); seat++)
        if (vm_points(vm, seat, points) != VM_OK) break;
    free(points);
    (void)vm_laws(vm);
}

/* The state as it is saved goes on as the one that was open does. */
static VmStatus reopened(Vm *vm) {
    VmState *saved = NULL;
    VmStatus status = vm_save(vm, &saved);
    if (status != VM_OK) return status;
    VmState *copy = vm_copy(saved);
    free(saved);
    if (!copy) return VM_NO_MEMORY;
    status = vm_open(vm, copy);
    free(copy);
    return status;
}

static void play(Vm *vm, const VmProgram *program, uint64_t stream) {
    if (vm_start(vm, stream) != VM_OK) return;
    for (int number = 0; number < FUZZ_DECISIONS; number++) {
        if (vm_run(vm) != VM_OK) return;
        int32_t count = vm_head(vm)->count;
        look(vm, program);
        if (count <= 0) return;
        if (number % 3 == 1 && reopened(vm) != VM_OK) return;
        int32_t options = vm_head(vm)->count;
        if (options != count) abort(); /* a saved state asks something else */
        if (vm_choose(vm, (int32_t)vm_random_below(&stream, (uint64_t)count)) != VM_OK) return;
    }
    int32_t answers = 0;
    (void)vm_play_out(vm, &stream, FUZZ_DECISIONS, &answers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    VmProgram *program = NULL;
    VmLoadError error;
    if (vm_program_load(data, size, &program, &error) != VM_OK) return 0;
    if (program->meta[META_WORK] > FUZZ_WORK) program->meta[META_WORK] = FUZZ_WORK;
    Vm *vm = NULL;
    if (program->fixed_bytes < FUZZ_BYTES && vm_new(program, &vm) == VM_OK) {
        play(vm, program, size);
        vm_free(vm);
    }
    vm_program_free(program);
    return 0;
}

/* An image is made of numbers of 16 and 32 bits: a change is one of such a number, seldom of any byte, so that what is
   around it stays sound. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed) {
    uint64_t stream = seed;
    if (size < 8 || vm_random_below(&stream, 16) == 0) return LLVMFuzzerMutate(data, size, max_size);
    for (uint64_t change = 0; change <= vm_random_below(&stream, 3); change++) {
        uint8_t *at = data + 2 * vm_random_below(&stream, size / 2);
        uint16_t number;
        memcpy(&number, at, 2);
        switch (vm_random_below(&stream, 6)) {
        case 0: number++; break;
        case 1: number--; break;
        case 2: number = (uint16_t)vm_random_below(&stream, 128); break;
        case 3: number = (uint16_t)vm_random_below(&stream, 65536); break;
        case 4: number = (uint16_t)(vm_random_below(&stream, 2) ? 0xFFFF : 0x7FFF); break;
        default: memcpy(&number, data + 2 * vm_random_below(&stream, size / 2), 2); break;
        }
        memcpy(at, &number, 2);
    }
    return size;
}

#ifdef FUZZ_MAIN
#include <stdio.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) {
    (void)data, (void)max_size;
    return size;
}

/* Run each file, then as many changed ones as the first argument says. */
int main(int argc, char **argv) {
    long changed = argc > 1 ? atol(argv[1]) : 0;
    for (int file = 2; file < argc; file++) {
        FILE *in = fopen(argv[file], "rb");
        if (!in) return 1;
        fseek(in, 0, SEEK_END);
        long size = ftell(in);
        rewind(in);
        uint8_t *data = malloc((size_t)size + 1), *other = malloc((size_t)size + 1);
        if (!data || !other || fread(data, 1, (size_t)size, in) != (size_t)size) return 1;
        fclose(in);
        LLVMFuzzerTestOneInput(data, (size_t)size);
        for (long number = 0; number < changed; number++) {
            memcpy(other, data, (size_t)size);
            LLVMFuzzerTestOneInput(other, LLVMFuzzerCustomMutator(other, (size_t)size, (size_t)size, (unsigned)number));
        }
        free(data);
        free(other);
    }
    return 0;
}
#endif
