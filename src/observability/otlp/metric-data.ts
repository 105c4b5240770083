import { type HrTime, ValueType } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, MetricValueWithName } from 'prom-client';

/** Times between which values were counted, in milliseconds since the epoch. */
interface Times {
  readonly startedAt: number;
  readonly endedAt: number;
}

type Value = MetricValue<string> | MetricValueWithName<string>;

/** Units of UCUM, by the end of a metric's name. */
const units = { seconds: 's', bytes: 'By' } as const;

/** Converts a metric of prom-client into one of OpenTelemetry, under the same name; values that are no numbers are left out. */
export function toMetricData(metric: MetricObjectWithValues<MetricValue<string>>, times: Times): MetricData {
  const { name, help, values } = metric;
  const [, unit] = /_(seconds|bytes)(?:_total)?$/.exec(name) ?? [];
  const common = {
    descriptor: {
      name,
      description: help,
      valueType: ValueType.DOUBLE,
      unit: unit === undefined ? '' : units[unit as keyof typeof units],
    },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const type = String(metric.type);
  if (type === 'histogram')
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: toHistograms(values, times) };
  const dataPoints = values
    .filter(({ value }) => Number.isFinite(value))
    .map(({ value, labels }) => pointOf(value, labels, times));
  if (type === 'counter') return { ...common, dataPointType: DataPointType.SUM, dataPoints, isMonotonic: true };
  return { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** Joins the values of a histogram: its buckets, each with all smaller values, their sum and their count. */
function toHistograms(values: readonly Value[], times: Times): DataPoint<Histogram>[] {
  const joined = Map.groupBy(values, ({ labels: { le: _le, ...labels } }) => JSON.stringify(labels));
  return [...joined].map(([labels, parts]) => {
    const partOf = (end: string) =>
      parts.find((part) => 'metricName' in part && part.metricName?.endsWith(end))?.value ?? 0;
    const buckets = parts.filter(({ labels: { le } }) => le !== undefined);
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0));
    const boundaries = buckets.map(({ labels: { le } }) => Number(le)).filter(Number.isFinite);
    const histogram = { buckets: { boundaries, counts }, sum: partOf('_sum'), count: partOf('_count') };
    return pointOf(histogram, JSON.parse(labels), times);
  });
}

const pointOf = <T>(value: T, attributes: DataPoint<T>['attributes'], { startedAt, endedAt }: Times): DataPoint<T> => ({
  value,
  attributes: { ...attributes },
  startTime: toHrTime(startedAt),
  endTime: toHrTime(endedAt),
});

const toHrTime = (ms: number): HrTime => [Math.trunc(ms / 1000), (ms % 1000) * 1_000_000];
