/** Sample of the text format: the value of a metric with its labels. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;

/** Parses the text format of Prometheus. @throws Error for a line that is none of it */
export function parseExposition(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('# '))
    .map((line) => {
      const [, name, labels = '', value] = LINE.exec(line) ?? [];
      if (!name || value === undefined) throw new Error(`not a sample: ${line}`);
      const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, label]) => [key, label]);
      return { name, labels: Object.fromEntries(pairs), value: Number(value) };
    });
}

/** Returns the sum of the samples of a metric that have these labels; undefined if there is none. */
export function valueIn(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}

/** Scrapes a process. */
export async function scrape(url: string): Promise<{ readonly text: string; readonly samples: readonly Sample[] }> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return { text, samples: parseExposition(text) };
}
