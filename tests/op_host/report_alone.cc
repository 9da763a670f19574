// report() in a process that has no error manager of CANN's.
#include "report.h"

int main(int, char** argv) {
    maxpoolgrad::cann::report(argv[1]);
    return 0;
}
