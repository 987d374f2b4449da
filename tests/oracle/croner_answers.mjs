// What npm's croner makes of `expression TAB both TAB milliseconds` lines on stdin: `next TAB last`, like
// cron_driver, in UTC. `both` is 1 where day and weekday must both match: croner takes only a bare `*`
// for unrestricted, Vixie's rule also `*/n`, so it is told.
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const require = createRequire(process.argv[2] + "/");
const { Cron } = require("croner");

// Semel's time begins in 1970.
const written = (date) => (date && date.getTime() >= 0 ? String(date.getTime()) : "none");

for await (const line of createInterface({ input: process.stdin })) {
    const [expression, both, ms] = line.split("\t");
    const cron = new Cron(expression, { timezone: "UTC", domAndDow: both === "1" });
    const next = cron.nextRun(new Date(Number(ms)));
    const [last] = cron.previousRuns(1, new Date(Number(ms) + 1000));
    console.log(`${written(next)}\t${written(last)}`);
}
