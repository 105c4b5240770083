/** The parameters of a request; their names are read without regard to case. */
export type Query = Readonly<Record<string, string | readonly string[]>>;

/** All values of a parameter. */
export function parametersOf(query: Query, name: string): readonly string[] {
  return Object.entries(query)
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => value);
}

/** The first value of a parameter; undefined where it is not there. */
export function parameterOf(query: Query, name: string): string | undefined {
  return parametersOf(query, name)[0];
}

/** The same parameters with another value of one of them, as a URL has them after its question mark. */
export function withParameter(query: Query, name: string, value: string): string {
  const others = Object.entries(query).filter(([key]) => key.toLowerCase() !== name);
  return new URLSearchParams([
    ...others.flatMap(([key, values]) => [values].flat().map((one): [string, string] => [key, one])),
    [name, value],
  ]).toString();
}
