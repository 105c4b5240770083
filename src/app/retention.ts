import type { Config } from '../config/config.ts';
import type { Logger } from '../observability/logger.ts';
import { createRetention } from '../store/retention.ts';
import type { Store } from '../store/store.ts';

const DAY_MS = 86_400_000;

/** Starts to purge data past its configured retention at intervals. */
export function keepRetention(
  { purge }: Store,
  { config, logger }: { readonly config: Config; readonly logger: Logger },
) {
  const ages = {
    bodies: config.RETAIN_BODIES_DAYS * DAY_MS,
    events: config.RETAIN_EVENTS_DAYS * DAY_MS,
    keys: config.RETAIN_KEYS_DAYS * DAY_MS,
    quarantined: config.RETAIN_QUARANTINE_DAYS * DAY_MS,
    announcements: config.RETAIN_ANNOUNCEMENTS_DAYS * DAY_MS,
    resources: config.RETAIN_RESOURCES_DAYS * DAY_MS,
    audit: config.RETAIN_AUDIT_DAYS * DAY_MS,
    bulk: config.RETAIN_AUDIT_DAYS * DAY_MS,
  };
  const retention = createRetention({ purge, logger, ages });
  retention.start();
  return retention;
}
