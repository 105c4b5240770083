import { z } from 'zod';
import { administration, codec, metrics } from './variables/administration.ts';
import { destination } from './variables/destination.ts';
import { simulator } from './variables/simulator.ts';
import { storage } from './variables/storage.ts';
import { reconciliation, retention, subjects } from './variables/subjects.ts';
import { temporal } from './variables/temporal.ts';
import { tracing } from './variables/tracing.ts';
import { proxies, retries, warehouse } from './variables/warehouse.ts';
import { webhook } from './variables/webhook.ts';

/** Groups of variables, in the order of `.env.example`, which is written from their descriptions and defaults. */
export const variableGroups = [
  storage,
  temporal,
  warehouse,
  proxies,
  retries,
  webhook,
  retention,
  subjects,
  reconciliation,
  destination,
  administration,
  metrics,
  tracing,
  codec,
  simulator,
] as const;

/** Variables that Dockline reads, with their defaults. */
export const variables = {
  ...storage,
  ...temporal,
  ...warehouse,
  ...proxies,
  ...retries,
  ...webhook,
  ...retention,
  ...subjects,
  ...reconciliation,
  ...destination,
  ...administration,
  ...metrics,
  ...tracing,
  ...codec,
  ...simulator,
} as const;

/** Schema of the environment. */
export const schema = z.object(variables);

/** Variables, parsed. */
export type Variables = Readonly<z.infer<typeof schema>>;
