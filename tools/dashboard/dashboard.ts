import { type Metric, metrics, type PanelSpec, type RowSpec, rows } from './layout.ts';

/** The dashboard that is shipped. */
export const file = 'deploy/grafana/dockline.json';

interface Query {
  readonly expr: string;
  readonly legendFormat: string;
}

const PROMETHEUS = { type: 'prometheus', uid: '$datasource' };
const WIDTH = 24;
const PER_ROW = { stat: 6, timeseries: 3 } as const;
const HEIGHT = { stat: 4, timeseries: 8 } as const;

/** Returns the content of {@link file}. */
export const writeDashboard = (): string => `${JSON.stringify(createDashboard(), null, 2)}\n`;

/** Creates the dashboard as Grafana reads it. */
export function createDashboard() {
  return {
    uid: 'dockline',
    title: 'Dockline',
    description: 'Generated from the table of metrics by `npm run dashboard`: change it there.',
    tags: ['dockline'],
    timezone: 'browser',
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    schemaVersion: 39,
    time: { from: 'now-3h', to: 'now' },
    templating: { list: variables },
    annotations: { list: [] },
    panels: place(rows),
  };
}

const variables = [
  { name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
  {
    name: 'job',
    label: 'Job',
    type: 'query',
    datasource: PROMETHEUS,
    refresh: 2,
    query: { query: 'label_values(dockline_store_up, job)', refId: 'job' },
    current: { text: 'dockline', value: 'dockline' },
  },
];

/** Lays out the panels of each row from left to right: first the values, then the graphs. */
function place(specs: readonly RowSpec[]) {
  let y = 0;
  let id = 0;
  return specs.flatMap(({ title, panels }) => {
    const row = { id: ++id, type: 'row', title, collapsed: false, panels: [], gridPos: { x: 0, y, w: WIDTH, h: 1 } };
    y += 1;
    const placed = (['stat', 'timeseries'] as const).flatMap((type) => {
      const ofType = panels.filter(({ limits }) => (limits !== undefined) === (type === 'stat'));
      const w = WIDTH / PER_ROW[type];
      const h = HEIGHT[type];
      const top = y;
      y += Math.ceil(ofType.length / PER_ROW[type]) * h;
      return ofType.map((spec, index) => {
        const x = (index % PER_ROW[type]) * w;
        return { id: ++id, gridPos: { x, y: top + Math.floor(index / PER_ROW[type]) * h, w, h }, ...panel(spec, type) };
      });
    });
    return [row, ...placed];
  });
}

function panel(spec: PanelSpec, type: 'stat' | 'timeseries') {
  const metric: Metric = metrics[spec.metric];
  return {
    type,
    title: spec.title,
    description: `${metric.help} (${spec.metric})`,
    datasource: PROMETHEUS,
    targets: queries(spec.metric, metric).map((query, index) => ({ refId: 'ABC'[index], ...query })),
    fieldConfig: {
      defaults: { unit: unitOf(metric), min: 0, ...(spec.limits && { thresholds: thresholds(spec.limits) }) },
      overrides: [],
    },
    options: type === 'stat' ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'background' } : graph,
  };
}

const graph = { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } };

/** Adds up what is counted by each process, and takes the greatest of what all read from one database. */
function queries(name: string, { type, labels, unit }: Metric): readonly Query[] {
  // Temporal's SDK is scraped at a port of its own, and so under a job of its own.
  const from = name.startsWith('temporal_') ? '{job=~"$job.*"}' : '{job="$job"}';
  const by = labels.length > 0 ? ` by (${labels.join(', ')})` : '';
  const legendFormat = labels.map((label) => `{{${label}}}`).join(' ');
  switch (type) {
    case 'counter':
      return [{ expr: `sum${by} (rate(${name}${from}[$__rate_interval]))`, legendFormat }];
    case 'histogram':
      // Several series are compared by their p99 alone.
      return (labels.length > 0 ? [99] : [50, 99]).map((percentile) => ({
        expr: `histogram_quantile(${percentile / 100}, sum by (${['le', ...labels].join(', ')}) (rate(${name}_bucket${from}[$__rate_interval])))`,
        legendFormat: `p${percentile} ${legendFormat}`.trim(),
      }));
    case 'gauge': {
      const least = unit === 'slots' || unit === '1 or 0';
      const value = `${least ? 'min' : 'max'}${by} (${name}${from})`;
      return [{ expr: unit === 'seconds since the epoch' ? `time() - ${value}` : value, legendFormat }];
    }
  }
}

const grafanaUnits: Readonly<Record<string, string>> = {
  seconds: 's',
  milliseconds: 'ms',
  'seconds since the epoch': 's',
  bytes: 'bytes',
};

/** Returns Grafana's name of the unit; a counter is shown per second, and its time per second is a number. */
function unitOf({ type, unit }: Metric): string {
  if (type !== 'counter') return grafanaUnits[unit] ?? 'short';
  return unit === 'seconds' || unit === 'cores' ? 'short' : 'suffix:/s';
}

const thresholds = ({ orange, red }: NonNullable<PanelSpec['limits']>) => ({
  mode: 'absolute',
  steps: [
    { color: 'green', value: null },
    ...(orange === undefined ? [] : [{ color: 'orange', value: orange }]),
    ...(red === undefined ? [] : [{ color: 'red', value: red }]),
  ],
});
