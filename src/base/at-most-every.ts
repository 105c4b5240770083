/** Drops calls that come less than `ms` after the last that was passed on. */
export function atMostEvery<Values extends readonly unknown[]>(
  ms: number,
  call: (...values: Values) => void,
  now = () => performance.now(),
): (...values: Values) => void {
  let calledAt = -Infinity;
  return (...values) => {
    const time = now();
    if (time - calledAt < ms) return;
    calledAt = time;
    call(...values);
  };
}
