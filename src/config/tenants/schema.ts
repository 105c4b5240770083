import type { z } from 'zod';
import { destinationForm, destinationsForm } from '../../destinations/settings.ts';
import { verification } from '../../ingress/verification/settings.ts';
import { deadlinesForm } from '../../subjects/deadline-settings.ts';
import { accessForms, checked, clientForms } from '../../warehouse/settings.ts';

/** Settings of a tenant that default to those of the variables. */
export const sharedForms = {
  ...clientForms,
  webhook: verification,
  announce: destinationForm({}).optional().describe('The destination that gets everything.'),
  destinations: destinationsForm.optional().describe('Further destinations, each with a filter.'),
  deadlines: deadlinesForm.optional().describe('Rules that say when a subject is due. The first that matches applies.'),
};

/** Schema of a tenant, whether variables or a file describe it. */
export const tenantSchema = checked({ ...accessForms, ...sharedForms });

/** A tenant's settings by key, parsed. */
export type ParsedTenant = z.output<z.ZodObject<typeof accessForms & typeof sharedForms>>;
