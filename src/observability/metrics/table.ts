import { words } from '../../base/text.ts';
import { collectionOf, subjectKinds } from '../../domain/catalogue/subject.ts';
import { openStagesOf } from '../../domain/lifecycle/stage.ts';

/** Requests answered within milliseconds. */
const REQUEST = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Exchanges with other systems. */
const EXCHANGE = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Steps that outages delay for hours. */
const LAG = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800, 3600, 21_600, 86_400];

const openKinds = subjectKinds.filter((kind) => openStagesOf(kind).length > 0);
const list = new Intl.ListFormat('en-GB');

const row =
  <const Type extends 'counter' | 'gauge'>(type: Type) =>
  <const Label extends string>(unit: string, labels: readonly Label[], help: string) =>
    ({ type, unit, labels, help }) as const;

const counter = row('counter');

const gauge = row('gauge');

/** `buckets`: upper bounds, in seconds. */
const histogram = <const Label extends string>(buckets: readonly number[], labels: readonly Label[], help: string) =>
  ({ type: 'histogram', unit: 'seconds', labels, help, buckets }) as const;

/** `docs/observability.md` is tested against it. Labels hold configured names and closed sets, never the ids of subjects. */
export const table = {
  dockline_incident: gauge(
    'things',
    ['condition', 'place'],
    'Things that an incident holds up, as the board shows it; no series once it is over.',
  ),
  dockline_incident_age_seconds: gauge('seconds', ['condition', 'place'], 'Time since which an incident has lasted.'),
  dockline_webhook_deliveries_total: counter(
    'deliveries',
    ['endpoint', 'outcome', 'status'],
    'Deliveries to the webhook by endpoint, outcome and HTTP status.',
  ),
  dockline_webhook_delivery_duration_seconds: histogram(
    REQUEST,
    ['endpoint'],
    'Time from the arrival of a delivery to its answer.',
  ),
  dockline_inbox_waiting_events: gauge('events', [], 'Accepted events that wait to be recorded.'),
  dockline_inbox_oldest_waiting_age_seconds: gauge(
    'seconds',
    [],
    'Age of the oldest event that waits to be recorded; 0 if none waits.',
  ),
  dockline_recording_lag_seconds: histogram(LAG, [], 'Time from the arrival of an event to its recording.'),
  dockline_warehouse_calls_total: counter(
    'calls',
    ['tenant', 'operation', 'status'],
    'GETs sent to the warehouse by operation and HTTP status; none if there was no answer.',
  ),
  dockline_warehouse_call_duration_seconds: histogram(
    EXCHANGE,
    ['tenant', 'operation'],
    'Duration of GETs, without the wait for the rate limit.',
  ),
  dockline_warehouse_rate_limit_wait_seconds_total: counter(
    'seconds',
    ['tenant'],
    'Time that GETs waited for the rate limit of this process.',
  ),
  dockline_announcement_attempts_total: counter(
    'attempts',
    ['tenant', 'outcome'],
    'Attempts to send an announcement by outcome.',
  ),
  dockline_announcement_attempt_duration_seconds: histogram(
    EXCHANGE,
    ['tenant'],
    'Duration of attempts to send an announcement.',
  ),
  dockline_announcement_lag_seconds: histogram(
    LAG,
    ['tenant'],
    'Time from the recording of an announcement, or its requeuing, to its acknowledgment.',
  ),
  dockline_announcements_dead_lettered_total: counter(
    'announcements',
    ['tenant'],
    'Announcements that were dead-lettered.',
  ),
  dockline_announcements_unsent: gauge('announcements', [], 'Announcements that are still to be sent.'),
  dockline_announcements_oldest_unsent_age_seconds: gauge(
    'seconds',
    [],
    'Age of the oldest announcement that is still to be sent; 0 if there is none.',
  ),
  dockline_subjects: gauge(
    'subjects',
    ['kind', 'stage'],
    `Open ${list.format(openKinds.map((kind) => words(collectionOf[kind])))}.`,
  ),
  dockline_subjects_oldest_stage_age_seconds: gauge(
    'seconds',
    ['kind', 'stage'],
    'Time for which the oldest of these subjects has been in its stage; 0 if there is none.',
  ),
  dockline_store_up: gauge('1 or 0', [], 'Whether the gauges of the store could be read.'),
} as const;

export type MetricName = keyof typeof table;

export type MetricOf<T extends 'counter' | 'gauge' | 'histogram'> = {
  [N in MetricName]: (typeof table)[N]['type'] extends T ? N : never;
}[MetricName];

export type LabelOf<N extends MetricName> = (typeof table)[N]['labels'][number];
