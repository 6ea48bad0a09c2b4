"""The same tools for every circuit and every program: Yosys for two families of FPGAs, gcc for a Cortex-M0."""

import re
import subprocess

FAMILIES = {
    "ice40": ("synth_ice40", "SB_LUT4"),
    "xilinx7": ("synth_xilinx -family xc7 -nodsp -noiopad -noclkbuf", "LUT"),
}


def synthesise(path, module, arguments, unread=None):
    """LUTs and depth for each family if an output is not read; nothing for a family where it takes too long."""
    found = {}
    for family in arguments.families:
        command, lut = FAMILIES[family]
        drop = f"delete -output {module}/{unread}; " if unread else ""
        script = f"read_verilog {path.name}; {drop}{command} -flatten -top {module}; ltp -noff; stat"
        try:
            ran = subprocess.run(
                ["yosys", "-p", script],
                cwd=path.parent,
                capture_output=True,
                text=True,
                timeout=arguments.seconds,
                check=True,
            )
        except subprocess.TimeoutExpired:
            continue
        last = ran.stdout[ran.stdout.rindex("Number of cells") :]
        luts = sum(int(n) for n in re.findall(rf"^\s+{lut}\S*\s+(\d+)\s*$", last, re.M))
        depth = re.findall(r"\(length=(\d+)\)", ran.stdout)
        found[f"luts_{family}"], found[f"depth_{family}"] = luts, int(depth[-1]) if depth else 0
    return found


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
