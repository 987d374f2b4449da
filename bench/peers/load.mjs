// What every load here has: pauses, calls by the clock, and percentiles.
export const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

// Calls `send(number)` so many times a second by the clock, not by the answers: a slow server does
// not slow the load down. Returns what stops it.
export function byTheClock(rate, tickMs, send) {
  const began = performance.now();
  let sent = 0;
  const tick = () => {
    for (const due = ((performance.now() - began) * rate) / 1000; sent < due; ) {
      send(sent++);
    }
  };
  const timer = setInterval(tick, tickMs);
  return () => clearInterval(timer);
}

// Sorts them.
export function percentiles(waits) {
  waits.sort((a, b) => a - b);
  const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))] ?? null;
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999) };
}
