"use strict";
// Fields as the library reads them: numbers, labels, dates and missing values. A column has one or more codings, and
// each gives one feature or several. What cannot be read is an error with the words for people.
const Read = (() => {
  const MISSING = ["", "?", "NA", "N/A", "n/a", "null", "NULL", "<NA>"];
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
  const SPACE = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+";
  const ENDS = new RegExp(`^${SPACE}|${SPACE}$`, "g");
  const LARGEST = 1e60, SMALLEST = 1e-60, GAPS = 2 ** 53;
  const trim = (text) => text.replace(ENDS, "");

  // Whether a number is read as zero but is not zero, or as a different whole number.
  function merges(text, v) {
    if (v === 0) return /[1-9]/.test(text.split(/e/i)[0]);
    const digits = text.replace(/^[+-]+/, "").replace(/^0+/, "");
    return Math.abs(v) >= GAPS && Number.isFinite(v) && /^\d*$/.test(digits) && BigInt(Math.abs(v)).toString() !== digits;
  }

  // A field: null if it is missing, a number, or a text.
  function field(given) {
    if (given === null || given === undefined) return null;
    if (typeof given === "number") return Number.isNaN(given) ? null : given + 0;
    const text = trim(given);
    if (NUMBER.test(text)) {
      const v = Number(text);
      return merges(text, v) ? text : v + 0;
    }
    if (/^[+-]?nan$/i.test(text)) return null;
    if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith("-") ? -Infinity : Infinity;
    return MISSING.includes(text) ? null : text;
  }

  // A field as a label; numbers in their shortest form.
  function label(value) {
    if (typeof value !== "number") return value;
    const size = Math.abs(value);
    return value === 0 || (size >= 1e-5 && size < 1e16) ? String(value) : value.toExponential().replace("e+", "e");
  }

  function inRange(v) {
    const size = Math.abs(v);
    if (!(size <= LARGEST) || (v !== 0 && size < SMALLEST)) throw new Error(`${v} is out of range`);
    return v;
  }

  const CURRENCIES = ["US$", "R$", "A$", "C$", "$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₴", "zł", "Kč", "CHF", "USD",
    "EUR", "GBP", "JPY", "SEK", "NOK", "DKK", "kr"];

  // A number in a notation: signs first, then digits with separators.
  function written(text, { point, thousands, percent, currency, unit = null }) {
    let [rest, negative, hasPercent, sign, own] = [text, false, false, null, null];
    for (;;) {
      rest = trim(rest);
      const letters = /^(.*\d)\s*([\p{Alphabetic}°][\p{Alphabetic}°²³/]*)$/u.exec(rest);
      const money = CURRENCIES.find((c) => rest.startsWith(c) || rest.endsWith(c));
      if (/^[-−+]/.test(rest)) {
        if (negative) return null;
        negative = !rest.startsWith("+");
        rest = rest.slice(1);
      } else if (rest.startsWith("(") && rest.endsWith(")")) {
        if (negative) return null;
        [rest, negative] = [rest.slice(1, -1), true];
      } else if (rest.endsWith("%") && !hasPercent) {
        [rest, hasPercent] = [rest.slice(0, -1), true];
      } else if (money) {
        if (sign) return null;
        [rest, sign] = [rest.startsWith(money) ? rest.slice(money.length) : rest.slice(0, -money.length), money];
      } else if (letters && own === null) {
        [rest, own] = [letters[1], letters[2]];
      } else break;
    }
    if (!/\d$/.test(rest) || [hasPercent, sign, own].filter((mark) => mark).length > 1) return null;
    if (hasPercent !== percent || own !== unit || (sign && sign !== currency)) return null;
    const mark = point === "comma" ? "," : ".";
    const at = rest.indexOf(mark);
    const [whole, decimals] = at < 0 ? [rest, null] : [rest.slice(0, at), rest.slice(at + 1)];
    if (decimals !== null && !/^\d+$/.test(decimals)) return null;
    const between = { " ": /[ \u00a0\u202f\u2009]/, "'": /['’]/, ",": /,/, ".": /\./ }[thousands];
    const groups = between ? whole.split(between) : [whole];
    const [first, ...others] = groups;
    if (!groups.every((group) => /^\d*$/.test(group)) || (first === "" && (others.length || decimals === null)) ||
      (others.length && (first.length > 3 || first.startsWith("0"))) || others.some((group) => group.length !== 3)) return null;
    const value = Number(`${groups.join("")}.${decimals ?? "0"}`);
    return (negative ? -value : value) + 0;
  }

  const MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december"];
  const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
  const named = (names, word) => names.findIndex((name) => [name, name.slice(0, 3)].includes(word.toLowerCase()));
  const digits = (text, most) => (/^\d+$/.test(text) && text.length <= most ? Number(text) : null);

  function year(text) {
    const value = digits(text, 4);
    if (value === null || ![2, 4].includes(text.length)) return null;
    return text.length === 4 ? value : value + (value >= 70 ? 1900 : 2000);
  }

  // Days since 1970-01-01; null if there is no such day.
  function epoch(y, month, day) {
    if ([y, month, day].includes(null)) return null;
    const date = new Date(0);
    date.setUTCFullYear(y, month - 1, day);
    return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 864e5 : null;
  }

  function date(text, order) {
    const at = text.search(/[ ,./-]/);
    if (at < 0) return null;
    if (named(DAYS, text.slice(0, at)) >= 0) return date(text.slice(at).replace(/^[ ,./-]+/, ""), order);
    const words = text.split(/[ ,./-]/).filter((word) => word);
    if (words.length !== 3) return null;
    const month = (word) => named(MONTHS, word.toLowerCase() === "sept" ? "sep" : word) + 1;
    const [first, second, third] = words;
    const inWords = month(first) || month(second);
    if (inWords) {
      const day = month(first) ? second : first;
      return epoch(year(third), inWords, digits(day.replace(/(st|nd|rd|th)$/, ""), 2));
    }
    const signs = text.match(/[ ,./-]/g);
    if (signs.length !== 2 || signs[0] !== signs[1] || !"-/.".includes(signs[0])) return null;
    if (first.length === 4) return epoch(year(first), digits(second, 2), digits(third, 2));
    const [one, two] = [digits(first, 2), digits(second, 2)];
    if (order === "day_first") return epoch(year(third), two, one);
    return signs[0] === "." ? null : epoch(year(third), one, two);
  }

  function withoutZone(time) {
    const zone = /^(.*?)(Z|z|UTC|GMT)$/.exec(time);
    if (zone) return withoutZone(zone[1].trimEnd());
    const at = Math.max(time.lastIndexOf("+"), time.lastIndexOf("-"));
    const after = at < 0 ? "" : time.slice(at + 1);
    return [2, 4].includes(after.replace(":", "").length) && /^[\d:]+$/.test(after) ? time.slice(0, at).trimEnd() : time;
  }

  // Seconds since midnight.
  function seconds(given) {
    const text = withoutZone(given).replaceAll(",", ".");
    if (text === "24:00" || text === "24:00:00") return 86400;
    const parts = /^(\d{1,2}):(\d{2})(?::(\d{1,2})(\.\d+)?)?\s*(am|pm)?$/i.exec(text);
    if (!parts) return null;
    let [hour, minute, second] = [Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0)];
    if (parts[5]) {
      if (hour < 1 || hour > 12) return null;
      hour = (hour % 12) + (parts[5].toLowerCase() === "pm" ? 12 : 0);
    }
    if (hour > 23 || minute > 59 || second > 60) return null;
    const nanoseconds = Number((parts[4] ?? ".").slice(1, 10).padEnd(9, "0"));
    return 3600 * hour + 60 * minute + second + nanoseconds / 1e9;
  }

  // A month: 2024-05, 2024/05 or 05/2024.
  function firstOfMonth(text) {
    const parts = /^(\d{4})[-/](\d{2})$/.exec(text) ?? /^(\d{1,2})\/(\d{4})$/.exec(text)?.toSpliced(1, 2, ...text.split("/").reverse());
    if (!parts || parts[1] < 1800 || parts[1] >= 2200 || parts[2] < 1 || parts[2] > 12) return null;
    return { day: epoch(Number(parts[1]), Number(parts[2]), 1), seconds: 0 };
  }

  // The day and the seconds of a text; null if it is neither a date nor a time as the column has them.
  function moment(text, clock) {
    if (text.length > 48 || !/\d/.test(text)) return null;
    const all = trim(text), colon = all.indexOf(":");
    const hours = colon < 0 ? all.length : all.slice(0, colon).replace(/\d+$/, "").length;
    const [before, time] = [all.slice(0, hours), all.slice(hours)];
    const passed = time ? seconds(time) : undefined;
    if (passed === null) return null;
    if (clock === "month") return time ? null : firstOfMonth(before);
    if (clock === "time") return before === "" ? { day: 0, seconds: passed ?? 0 } : null;
    const written = time ? before.replace(/[ ,tT]+$/, "") : before;
    if (before === "" || (time && written.length === hours)) return null;
    const day = date(written, clock.date.order);
    return day === null ? null : { day, seconds: passed ?? 0 };
  }

  function part({ day, seconds: s }, which) {
    if (which === "days") return day + s / 86400;
    return which === "weekday" ? (((day + 3) % 7) + 7) % 7 + 1 : s / 3600;
  }

  // The number that a coding reads in a field.
  function value(given, kind, reading) {
    const found = field(given);
    if (found === null) {
      if (kind.number.fill === null) throw new Error("a value is missing, and training had none");
      return kind.number.fill;
    }
    if (reading?.time) {
      const at = typeof found === "string" ? moment(found, reading.time.clock) : null;
      if (at === null) throw new Error(`expected a date or time, got "${given}"`);
      return part(at, reading.time.part);
    }
    if (reading?.written && typeof found === "string") {
      const number = written(found, reading.written.notation);
      if (number === null) throw new Error(`expected a number such as ${reading.written.example}, got "${given}"`);
      return number;
    }
    const notation = reading?.written?.notation;
    if (notation?.percent || notation?.unit) throw new Error(`expected a number such as ${reading.written.example}, got "${given}"`);
    const grouped = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
    if (reading?.written?.notation.thousands === "." && typeof given === "string" && grouped.test(trim(given))) {
      return Math.round(1000 * found);
    }
    if (typeof found === "string") throw new Error(`expected a number, got "${given}"`);
    return inRange(found);
  }

  // The features of a field, one coding after the other.
  function encode(codings, given) {
    const features = [];
    for (const { kind, reading, folded } of codings) {
      // The place of a label among levels; if training has both, letters of either case are one.
      const among = (levels, name) => {
        const place = levels.indexOf(name);
        return place >= 0 || !folded || name === null ? place : levels.findLastIndex((level) => level.toLowerCase() === name.toLowerCase());
      };
      if (reading?.missing) features.push(field(given) === null ? 1 : 0);
      else if (reading?.other) {
        const found = field(given);
        features.push(found !== null && among(reading.other.levels, label(found)) < 0 ? 1 : 0);
      } else if (kind.category) {
        const { levels, fill } = kind.category;
        const place = among(levels, label(field(given)) ?? fill);
        const named = levels.length === 2 ? levels.slice(1) : levels;
        features.push(...named.map((_, k) => (place === k + levels.length - named.length ? 1 : 0)));
      } else features.push(value(given, kind, reading));
    }
    return features;
  }

  // A date or time for people, from the features of its codings.
  function dateText(codings, features) {
    const of = (which) => features[codings.findIndex(({ reading }) => reading?.time?.part === which)];
    const [days, hour] = [of("days"), of("hour")];
    const passed = Math.round(hour === undefined ? 0 : 3600 * hour);
    const two = (n) => String(n).padStart(2, "0");
    const clock = `${two(Math.floor(passed / 3600))}:${two(Math.floor(passed / 60) % 60)}` + (passed % 60 ? `:${two(passed % 60)}` : "");
    if (days === undefined) return clock;
    const day = new Date(Math.floor(days) * 864e5).toISOString().slice(0, 10);
    return hour === undefined ? day : `${day} ${clock}`;
  }

  return { encode, field, label, dateText };
})();
