import { table } from '../../src/observability/metrics/table.ts';

/** Panel of the dashboard. Its query follows from the type and the labels of its metric. */
export interface PanelSpec {
  readonly metric: keyof typeof metrics;
  readonly title: string;
  /** Values from which the panel turns orange and red; it then shows the current value instead of a graph. */
  readonly limits?: { readonly orange?: number; readonly red?: number };
}

/** Row of the dashboard. */
export interface RowSpec {
  readonly title: string;
  readonly panels: readonly PanelSpec[];
}

/** Metric as a panel needs it. */
export interface Metric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly unit: string;
  readonly help: string;
}

/** Metrics that Dockline serves and does not define: of Temporal's SDK, of Node and of the process. */
const others = {
  temporal_workflow_task_schedule_to_start_latency: {
    type: 'histogram',
    labels: [],
    unit: 'milliseconds',
    help: 'Time that workflow tasks wait for a worker: more workers make it shorter.',
  },
  temporal_activity_schedule_to_start_latency: {
    type: 'histogram',
    labels: ['task_queue'],
    unit: 'milliseconds',
    help: 'Time that activities wait for a worker, or for the rate of their warehouse.',
  },
  temporal_request_latency: {
    type: 'histogram',
    labels: ['operation'],
    unit: 'milliseconds',
    help: 'Duration of calls to Temporal.',
  },
  temporal_workflow_task_execution_latency: {
    type: 'histogram',
    labels: [],
    unit: 'milliseconds',
    help: 'Duration of workflow tasks, with the inline activities in them.',
  },
  temporal_worker_task_slots_available: {
    type: 'gauge',
    labels: ['worker_type'],
    unit: 'slots',
    help: 'Free slots of the busiest worker; at 0 its tasks wait.',
  },
  temporal_sticky_cache_size: {
    type: 'gauge',
    labels: [],
    unit: 'workflows',
    help: 'Workflows in memory, of the worker with most of them (TEMPORAL_CACHED_WORKFLOWS).',
  },
  nodejs_eventloop_lag_p99_seconds: {
    type: 'gauge',
    labels: ['instance'],
    unit: 'seconds',
    help: 'Delay of the event loop: a process that is too busy.',
  },
  process_cpu_seconds_total: {
    type: 'counter',
    labels: ['instance'],
    unit: 'cores',
    help: 'Cores that a process uses.',
  },
  process_resident_memory_bytes: {
    type: 'gauge',
    labels: ['instance'],
    unit: 'bytes',
    help: 'Memory of a process.',
  },
} as const satisfies Readonly<Record<string, Metric>>;

/** Metrics that the dashboard can show. */
export const metrics = { ...table, ...others };

/** Rows of the dashboard. Every metric of the table is in one of them; the limits are those of the alerts. */
export const rows: readonly RowSpec[] = [
  {
    title: 'The promise: what was accepted is announced',
    panels: [
      {
        metric: 'dockline_inbox_oldest_waiting_age_seconds',
        title: 'Oldest waiting event',
        limits: { orange: 60, red: 300 },
      },
      { metric: 'dockline_inbox_waiting_events', title: 'Waiting events', limits: {} },
      {
        metric: 'dockline_announcements_oldest_unsent_age_seconds',
        title: 'Oldest unsent announcement',
        limits: { orange: 60, red: 900 },
      },
      { metric: 'dockline_announcements_unsent', title: 'Unsent announcements', limits: {} },
      { metric: 'dockline_incident', title: 'Held up by incidents' },
      { metric: 'dockline_incident_age_seconds', title: 'Age of incidents' },
      { metric: 'dockline_recording_lag_seconds', title: 'Arrival to recording' },
      { metric: 'dockline_announcement_lag_seconds', title: 'Recording to acknowledgment' },
    ],
  },
  {
    title: 'Subjects',
    panels: [
      { metric: 'dockline_subjects', title: 'Open subjects by stage' },
      { metric: 'dockline_subjects_oldest_stage_age_seconds', title: 'Oldest in its stage' },
      { metric: 'dockline_store_up', title: 'Database can be read' },
    ],
  },
  {
    title: 'Intake',
    panels: [
      { metric: 'dockline_webhook_deliveries_total', title: 'Deliveries' },
      { metric: 'dockline_webhook_delivery_duration_seconds', title: 'Time to answer a delivery' },
    ],
  },
  {
    title: 'Warehouse',
    panels: [
      { metric: 'dockline_warehouse_calls_total', title: 'Calls' },
      { metric: 'dockline_warehouse_call_duration_seconds', title: 'Duration of calls' },
      { metric: 'dockline_warehouse_rate_limit_wait_seconds_total', title: 'Waiting for the rate limit' },
    ],
  },
  {
    title: 'Announcements',
    panels: [
      { metric: 'dockline_announcement_attempts_total', title: 'Attempts' },
      { metric: 'dockline_announcement_attempt_duration_seconds', title: 'Duration of attempts' },
      { metric: 'dockline_announcements_dead_lettered_total', title: 'Dead-lettered' },
    ],
  },
  {
    title: "Temporal, as the workers' SDK sees it (TEMPORAL_METRICS_PORT)",
    panels: [
      { metric: 'temporal_workflow_task_schedule_to_start_latency', title: 'Workflow tasks wait for a worker' },
      { metric: 'temporal_activity_schedule_to_start_latency', title: 'Activities wait for a worker' },
      { metric: 'temporal_request_latency', title: 'Calls to Temporal' },
      { metric: 'temporal_workflow_task_execution_latency', title: 'Duration of workflow tasks' },
      { metric: 'temporal_worker_task_slots_available', title: 'Free slots' },
      { metric: 'temporal_sticky_cache_size', title: 'Cached workflows' },
    ],
  },
  {
    title: 'Processes',
    panels: [
      { metric: 'nodejs_eventloop_lag_p99_seconds', title: 'Event loop lag (p99)' },
      { metric: 'process_cpu_seconds_total', title: 'CPU' },
      { metric: 'process_resident_memory_bytes', title: 'Memory' },
    ],
  },
];
