import type { Logger } from '../base/logger.ts';
import type { Config } from '../config/config.ts';
import type { Tracing } from '../domain/tracing.ts';
import type { Observers } from '../observability/metrics/observers.ts';
import type { WorkersOptions } from '../temporal/workers.ts';
import type { Dependencies } from './dependencies.ts';
import type { Store } from './store.ts';

/** Roles of a process: it receives webhooks, dispatches events, runs workflows and activities, or serves the administrative API. */
export const roles = ['webhook', 'dispatcher', 'worker', 'admin'] as const;

/** Role of a process. */
export type Role = (typeof roles)[number];

export interface ServiceOptions {
  readonly config: Config;
  readonly dependencies: Dependencies;
  readonly logger: Logger;
  /** Called when the service has failed for good and must be restarted. */
  readonly onFailure: (error: unknown) => void;
  readonly taskQueue?: string;
  /** Bundled workflows. Default: those of this version. */
  readonly workflowBundle?: WorkersOptions['workflowBundle'];
}

export interface PartOptions extends ServiceOptions {
  readonly store: Store;
  readonly taskQueue: string;
  /** Count what this process does; absent if it serves no metrics. */
  readonly observers?: Observers | undefined;
  /** Traces what this process does; absent without a collector. */
  readonly tracing?: Tracing | undefined;
  /** Reports whether workflows try activities inline, within their own task. */
  readonly isInline: () => boolean;
}
