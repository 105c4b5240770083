import type { Config } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import type { WorkersOptions } from '../temporal/workers.ts';
import type { Dependencies } from './dependencies.ts';

/** What a service is started with. */
export interface ServiceOptions {
  readonly config: Config;
  readonly dependencies: Dependencies;
  readonly logger: Logger;
  /** Called when the service cannot do its work any more and must be started anew. */
  readonly onFailure: (error: unknown) => void;
  readonly taskQueue?: string;
  readonly workflowBundle?: WorkersOptions['workflowBundle'];
}
