import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { locate, startWatchedProcess } from '../../../sandbox/temporal-server/programs.ts';

/** State of an alert rule: its most urgent one, with the summaries of the alerts that fire. */
export interface AlertState {
  readonly state: 'inactive' | 'pending' | 'firing';
  readonly summaries: readonly string[];
}

/** Running Prometheus. */
export interface Prometheus {
  /** Returns the number of series that a query selects now. */
  count(query: string): Promise<number>;
  /** Returns the state of each alert by its name. */
  alerts(): Promise<ReadonlyMap<string, AlertState>>;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  /** Empty folder. */
  readonly folder: string;
  readonly port: number;
  /** Text of its file of alert rules. */
  readonly rules: string;
  /** `host:port` of what it scrapes as the job `dockline`. */
  readonly targets: readonly string[];
}

/** A range of five seconds has at least two samples. */
const configuration = ({ targets }: PrometheusOptions) => ({
  global: { scrape_interval: '2s', scrape_timeout: '2s', evaluation_interval: '1s' },
  rule_files: ['alerts.yaml'],
  scrape_configs: [{ job_name: 'dockline', static_configs: [{ targets }] }],
});

const READY_WITHIN_MS = 120_000;

/** Starts Debian's Prometheus. Rejects if there is none, or if it refuses the rules. */
export async function startPrometheus(options: PrometheusOptions): Promise<Prometheus> {
  const { folder, port, rules } = options;
  const program = await locate('prometheus');
  const config = join(folder, 'prometheus.yml');
  await writeFile(join(folder, 'alerts.yaml'), rules);
  // JSON is YAML.
  await writeFile(config, JSON.stringify(configuration(options)));
  const watched = startWatchedProcess(program, [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    '--log.level=error',
    `--web.listen-address=127.0.0.1:${port}`,
  ]);
  const api = `http://127.0.0.1:${port}/api/v1`;
  const failed = watched.exited.then(({ stderr }) => {
    throw new Error(`Prometheus ended: ${stderr}`);
  });
  await Promise.race([untilReady(`${api}/rules`), failed]);
  return {
    count: async (query) => (await get<QueryData>(`${api}/query?${new URLSearchParams({ query })}`)).result.length,
    async alerts() {
      const { groups } = await get<RulesData>(`${api}/rules`);
      return new Map(groups.flatMap(({ rules }) => rules.map((rule) => [rule.name, stateOf(rule)] as const)));
    },
    stop: () => watched.stop(),
  };
}

interface QueryData {
  readonly result: readonly unknown[];
}

interface RulesData {
  readonly groups: readonly { readonly rules: readonly Rule[] }[];
}

interface Rule {
  readonly name: string;
  readonly state: AlertState['state'];
  readonly alerts: readonly { readonly state: string; readonly annotations: { readonly summary: string } }[];
}

const stateOf = ({ state, alerts }: Rule): AlertState => ({
  state,
  summaries: alerts.filter((alert) => alert.state === 'firing').map(({ annotations }) => annotations.summary),
});

async function get<T>(url: string): Promise<T> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`Prometheus answers ${response.status}: ${await response.text()}`);
  const { data } = (await response.json()) as { readonly data: T };
  return data;
}

async function untilReady(url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await get(url).then(Boolean, () => false))) {
    if (Date.now() > deadline) throw new Error('Prometheus did not start');
    await pause(100);
  }
}
