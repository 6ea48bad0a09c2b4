"""The same tools for every circuit and every program: Yosys for two families of FPGAs, gcc and QEMU for a Cortex-M0."""

import re
import subprocess
import tempfile
from pathlib import Path

FAMILIES = {
    "ice40": ("synth_ice40", "SB_LUT4"),
    "xilinx7": ("synth_xilinx -family xc7 -nodsp -noiopad -noclkbuf", "LUT"),
}


def synthesise(path, module, family, seconds, unread=None):
    """LUTs and depth for a family if an output is not read; nothing if it takes longer than the limit."""
    command, lut = FAMILIES[family]
    drop = f"delete -output {module}/{unread}; " if unread else ""
    script = f'read_verilog "{path.name}"; {drop}{command} -flatten -top {module}; ltp -noff; stat'
    how = {"cwd": path.parent, "capture_output": True, "text": True, "timeout": seconds, "check": True}
    try:
        printed = subprocess.run(["yosys", "-p", script], **how).stdout
    except subprocess.TimeoutExpired:
        return {}
    last = printed[printed.rindex("Number of cells") :]
    luts = sum(int(n) for n in re.findall(rf"^\s+{lut}\S*\s+(\d+)\s*$", last, re.M))
    depth = re.findall(r"\(length=(\d+)\)", printed)
    return {f"luts_{family}": luts, f"depth_{family}": int(depth[-1]) if depth else 0}


# What gcc may call by itself; it counts where it is used.
CALLED = """
typedef __SIZE_TYPE__ size;
void *memset(void *to, int value, size n) { char *t = to; while (n--) *t++ = (char)value; return to; }
void *memcpy(void *to, const void *from, size n) { char *t = to; const char *f = from; while (n--) *t++ = *f++; return to; }
"""


SIZE = ["-mcpu=cortex-m0", "-mthumb", "-Os", "-ffunction-sections", "-fdata-sections"]
SIZE += ["-fno-tree-loop-distribute-patterns", "-ffreestanding", "-nostdlib"]


def compiled(folder, files, *flags):
    """The program of these files, without what nothing calls."""
    called, output = folder / "called.c", folder / "program.elf"
    called.write_text(CALLED)
    words = ["arm-none-eabi-gcc", *SIZE, *flags, *files, called, "-Wl,--gc-sections", "-o", output, "-lgcc"]
    subprocess.run(words, check=True, capture_output=True)
    return output


def flash(folder, source, function, *flags):
    """Bytes of code and constants of a function on a Cortex-M0, everything that it calls included."""
    program = compiled(folder, [source], f"-Wl,--entry={function}", *flags)
    sizes = subprocess.run(["arm-none-eabi-size", program], check=True, capture_output=True, text=True).stdout
    text, data = sizes.splitlines()[1].split()[:2]
    return int(text) + int(data)


# Calls a function for every row. What is counted lies below it.
CALLER = """
#include <stdint.h>
int FUNCTION(const void *row, int length);
extern uint32_t top;
static const uint8_t rows[][WIDTH] = {ROWS};
volatile int answers;
__attribute__((section(".caller"))) static void caller(void)
{
    register uint32_t how __asm__("r0"), why __asm__("r1");
    unsigned i;
    for (i = 0; i < sizeof rows / WIDTH; i++) answers += FUNCTION(rows[i], WIDTH);
    how = 0x18, why = 0x20026; /* semihosting: the program has ended */
    __asm__ volatile("bkpt 0xab" : : "r"(how), "r"(why) : "memory");
    for (;;) {}
}
__attribute__((section(".vectors"), used)) static const void *const vectors[2] = {&top, caller};
"""
LAYOUT = """
MEMORY { FLASH (rx) : ORIGIN = 0, LENGTH = 256K RAM (rwx) : ORIGIN = 0x20000000, LENGTH = 16K }
top = ORIGIN(RAM) + LENGTH(RAM);
SECTIONS {
  .text : { KEEP(*(.vectors)) *(.text*) end_of_counted = .; *(.caller) *(.rodata*) } > FLASH
  .bss : { *(.data*) *(.bss*) *(COMMON) } > RAM
}
"""


def instructions(source, function, rows, *flags):
    """Instructions that a function takes for a row of bytes on an emulated Cortex-M0, in the mean over these rows."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        caller, layout, log = (folder / name for name in ("caller.c", "layout.ld", "log"))
        text = CALLER.replace("FUNCTION", function).replace("WIDTH", str(len(rows[0])))
        caller.write_text(text.replace("ROWS", ",".join("{" + ",".join(map(str, row)) + "}" for row in rows)))
        layout.write_text(LAYOUT)
        program = compiled(folder, [caller, source], "-T", layout, *flags)
        names = subprocess.run(["arm-none-eabi-nm", program], check=True, capture_output=True, text=True).stdout
        end = int(re.search(r"^(\w+) \w end_of_counted$", names, re.M).group(1), 16)
        # Instruction by instruction, each with a line in the log.
        words = ["qemu-system-arm", "-M", "microbit", "-nographic", "-semihosting", "-kernel", program]
        words += ["-singlestep", "-d", "exec,nochain", "-D", log]
        subprocess.run(words, check=True, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        places = re.findall(r"^Trace .*?\[\w+/(\w+)/", log.read_text(), re.M)
        return sum(int(place, 16) < end for place in places) / len(rows)
