import { isLoopback } from '../../domain/loopback.ts';
import type { Variables } from '../variables.ts';
import * as forms from './forms.ts';
import type { TenantSettings } from './tenant.ts';
import {
  secretProblem,
  type Verification,
  type VerificationMethod,
  type VerificationNeed,
  verificationNeeds,
} from './verification.ts';

/** What the variables say of how deliveries are verified. */
export function verificationOf(variables: Variables): Verification {
  return {
    verify: variables.WEBHOOK_VERIFY,
    token: variables.WEBHOOK_TOKEN ?? [],
    secret: variables.WEBHOOK_SECRET ?? [],
    header: variables.WEBHOOK_SIGNATURE_HEADER ?? '',
    encoding: variables.WEBHOOK_SIGNATURE_ENCODING,
    prefix: variables.WEBHOOK_SIGNATURE_PREFIX ?? '',
    toleranceMs: variables.WEBHOOK_TIMESTAMP_TOLERANCE_MS,
    user: variables.WEBHOOK_USER ?? '',
    password: variables.WEBHOOK_PASSWORD ?? [],
  };
}

const variableOf = {
  token: 'WEBHOOK_TOKEN',
  secret: 'WEBHOOK_SECRET',
  header: 'WEBHOOK_SIGNATURE_HEADER',
  user: 'WEBHOOK_USER',
  password: 'WEBHOOK_PASSWORD',
} as const satisfies Record<VerificationNeed, keyof Variables>;

/** What contradicts the chosen way to verify deliveries in variables as they are given, each with its name and without a value. */
export function verificationProblems(given: Readonly<Record<string, string | undefined>>): string[] {
  const { WEBHOOK_VERIFY: verify, WEBHOOK_SECRET: secrets = '' } = given;
  // A way that is not known has been told of.
  const needs = Object.hasOwn(verificationNeeds, verify ?? '') ? verificationNeeds[verify as VerificationMethod] : [];
  const missing = needs.map((need) => variableOf[need]).filter((name) => !given[name]);
  const problem = secretProblem(verify, forms.list.parse(secrets));
  return [
    ...missing.map((name) => `${name}: is needed with WEBHOOK_VERIFY=${verify}`),
    ...(problem ? [`WEBHOOK_SECRET: ${problem}`] : []),
  ];
}

/** One line for each endpoint that would take deliveries from anyone beyond this machine without being told to. */
export function unguardedEndpoints(variables: Variables, tenants: readonly TenantSettings[]): string[] {
  if (variables.WEBHOOK_ACCEPT_UNVERIFIED === 'yes' || isLoopback(variables.WEBHOOK_HOST)) return [];
  // Where no tenant is named, the simulated one's endpoint is as the variables say.
  const simulated = { endpoint: variables.WEBHOOK_ENDPOINT, verification: verificationOf(variables) };
  return (tenants.length > 0 ? tenants : [simulated])
    .filter(({ verification }) => verification.verify === 'none')
    .map(({ endpoint }) => `WEBHOOK_HOST: is not loopback, and /webhooks/${endpoint} verifies nothing; ${CONSENT}`);
}

const CONSENT = 'say WEBHOOK_ACCEPT_UNVERIFIED=yes to take deliveries from anyone';
