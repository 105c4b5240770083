import { accessTokens } from '../config/admin-tokens.ts';
import { findTenant } from '../config/tenants/tenant.ts';
import { createDestinationControl } from '../destinations/destination-control.ts';
import { destinationName, managedDestination } from '../destinations/settings.ts';
import { formatIssue } from '../forms/word-issue.ts';

const forms = { destination: managedDestination, name: destinationName, error: formatIssue };

type ControlDeps = Parameters<typeof createDestinationControl>[0];

/** Opens the changes of destinations, which are parsed as those of the configuration are. */
export const openDestinationControl = (deps: Omit<ControlDeps, 'findTenant' | 'forms' | 'operatorTokens'>) =>
  createDestinationControl({
    ...deps,
    findTenant: (id) => findTenant(deps.tenants, id),
    forms,
    operatorTokens: accessTokens(deps.config).map(({ token }) => token),
  });
