"""The same tools for every circuit and every program: Yosys for two families of FPGAs, gcc for a Cortex-M0."""

import re
import subprocess

FAMILIES = {
    "ice40": ("synth_ice40", "SB_LUT4"),
    "xilinx7": ("synth_xilinx -family xc7 -nodsp -noiopad -noclkbuf", "LUT"),
}


def synthesise(path, module, family, seconds, unread=None):
    """LUTs and depth for a family if an output is not read; nothing if it takes longer than so many seconds."""
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


def flash(folder, source, function, *flags):
    """Bytes of code and constants of a function on a Cortex-M0, everything that it calls included."""
    called, output = folder / "called.c", folder / "flash.elf"
    called.write_text(CALLED)
    size = [
        "-mcpu=cortex-m0",
        "-mthumb",
        "-Os",
        "-ffunction-sections",
        "-fdata-sections",
        "-fno-tree-loop-distribute-patterns",
    ]
    link = ["-ffreestanding", "-nostdlib", "-Wl,--gc-sections", f"-Wl,--entry={function}"]
    files = [source, called, "-o", output, "-lgcc"]
    subprocess.run(["arm-none-eabi-gcc", *size, *link, *flags, *files], check=True, capture_output=True)
    sizes = subprocess.run(["arm-none-eabi-size", output], check=True, capture_output=True, text=True).stdout
    text, data = sizes.splitlines()[1].split()[:2]
    return int(text) + int(data)
