"""What was measured, kept in a CSV file that grows row by row: a run that was stopped goes on where it was."""

import csv

FIELDS = ["table", "print", "seed", "method", "accuracy", "log_loss", "r2", "seconds", "neurons", "certified", "note"]


class Results:
    """One row for each table, seed and method; the last one counts."""

    def __init__(self, path):
        self.path = path
        self.rows = {}
        if path.exists():
            with open(path, newline="") as file:
                for row in csv.DictReader(file):
                    self.rows[row["table"], row["print"], int(row["seed"]), row["method"]] = row
        self.fresh = set()

    @staticmethod
    def key(table, seed, method):
        return table.name, table.print, seed, method

    def get(self, table, seed, method):
        """What was measured on this very data, or nothing."""
        return self.rows.get(self.key(table, seed, method))

    def wants(self, table, seed, method, again):
        """Whether it is to be measured: never was, or is to be again and was not in this run."""
        key = self.key(table, seed, method)
        return key not in self.rows or (method in again and key not in self.fresh)

    def add(self, table, seed, method, measured):
        key = self.key(table, seed, method)
        row = dict.fromkeys(FIELDS, "") | measured
        row |= dict(zip(["table", "print", "seed", "method"], map(str, key)))
        is_new = not self.path.exists()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, "a", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            if is_new:
                writer.writeheader()
            writer.writerow(row)
        self.rows[key] = row
        self.fresh.add(key)

    def copy(self, path, tables, seeds):
        """The rows of some tables and seeds, in order."""
        prints = {table.print for table in tables}
        rows = [row for key, row in self.rows.items() if key[1] in prints and key[2] in seeds]
        rows.sort(key=lambda row: (row["table"], int(row["seed"]), row["method"]))
        with open(path, "w", newline="") as file:
            writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
