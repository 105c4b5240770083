import type { z } from 'zod';
import { type KindName, kindNames, kinds, USUAL_KIND } from '../../destinations/kinds/kinds.ts';
import type { Environment } from '../../forms/forms.ts';
import { type SchemeName, schemes, USUAL_SCHEME } from '../../ingress/verification/schemes.ts';
import { PAIRS, readText } from '../setting-variables.ts';
import { announceNames } from '../variables/destination.ts';
import { warehouseForms, warehouseNames } from '../variables/warehouse.ts';
import { webhookNames } from '../variables/webhook.ts';
import type { Variables } from '../variables.ts';
import { SIMULATED_TENANT, type tenantForms } from './tenant.ts';

/** By the key in the file of settings. */
const variableOf: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  ...warehouseNames,
  webhook: webhookNames,
  announce: announceNames,
} satisfies Record<
  Exclude<keyof typeof tenantForms, 'destinations' | 'deadlines'>,
  keyof Variables | Readonly<Record<string, keyof Variables>>
>;

export const shorthandNames = Object.values(variableOf).flatMap((names): readonly string[] =>
  typeof names === 'string' ? [names] : Object.values(names),
);

/** Replaced by the access to the simulated warehouse once it runs. */
const simulatedAccess = {
  tenant: SIMULATED_TENANT,
  baseUrl: 'http://localhost',
  authUrl: 'http://localhost',
  clientId: 'simulated',
  clientSecret: 'simulated',
  userLogin: 'simulated',
};

/** Replaced by the address and the secret of the embedded receiver once it runs. */
const embeddedReceiver = { url: 'https://localhost', secret: `whsec_${'0'.repeat(32)}` };

/** The scheme is the name of the kind, with an `s` for TLS. */
export function kindOfAddress(url: string | undefined): KindName {
  const [scheme] = String(url).toLowerCase().split(':');
  return kindNames.find((name) => scheme === name || scheme === `${name}s`) ?? USUAL_KIND;
}

/** Has the shape of a warehouse in a file. Leaves out the settings of other schemes and kinds. */
export function fromVariables(given: Environment): Readonly<Record<string, unknown>> {
  const read = (names: Readonly<Record<string, string>>, forms: Readonly<Record<string, z.ZodType>>) =>
    Object.fromEntries(
      Object.entries(forms).flatMap(([key, form]) => {
        const text = given[names[key] ?? ''];
        return text === undefined ? [] : [[key, readText(form, text)]];
      }),
    );
  const { WEBHOOK_VERIFY: verify = USUAL_SCHEME, ANNOUNCE_URL: url } = given;
  const kind = kindOfAddress(url);
  return {
    ...(given.WAREHOUSE_BASE_URL ? {} : simulatedAccess),
    ...read(warehouseNames, warehouseForms),
    webhook: { verify, ...read(webhookNames, schemes[verify as SchemeName]?.settings ?? {}) },
    announce: { ...(url ? {} : embeddedReceiver), kind, ...read(announceNames, kinds[kind].forms) },
  };
}

export function wordVariable([setting, ...inner]: readonly PropertyKey[], message: string): string {
  const names = variableOf[String(setting)] ?? '';
  const [name, [key]] = typeof names === 'string' ? [names, inner] : [names[String(inner[0])], inner.slice(1)];
  const said = message
    .replace(/^is missing$/, 'is required with WAREHOUSE_BASE_URL')
    .replace(/^is required with kind: .*/, 'is required with ANNOUNCE_URL')
    .replace(/^must be keys with values$/, `must be ${PAIRS}`)
    .replace(/\b(\w+): (\w[\w-]*)/, (text, other: string, value: string) =>
      typeof names === 'object' && names[other] ? `${names[other]}=${value}` : text,
    );
  return `${name}: ${typeof key === 'string' ? `${key} ` : ''}${said}`;
}
