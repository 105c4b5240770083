import { z } from 'zod';
import { itemSections, orderSections, receiptSections } from '../../domain/catalogue/sections.ts';
import * as forms from './forms.ts';
import { nearest } from './nearest.ts';
import { secretProblem, type Verification, verificationNeeds } from './verification.ts';

/** One warehouse as the file describes it. */
export type FileEntry = z.output<ReturnType<typeof entrySchema>>;

/**
 * A file of warehouses, `defaults` being copied into each of them already; every problem is an issue, the first hides none.
 * Deliveries are verified as given where a warehouse says nothing else.
 */
export function fileSchema(verification: Verification) {
  return section({
    defaults: z.looseObject({}, NO_KEYS).optional(),
    warehouses: z
      .array(entrySchema(verification), 'must be a list')
      .min(1, 'must name at least one')
      .superRefine(refuseRepeated, { when: ({ value }) => Array.isArray(value) }),
  });
}

function entrySchema(verification: Verification) {
  return section({
    tenant: forms.tenant,
    credential: forms.credential.optional(),
    baseUrl: forms.address,
    authUrl: forms.address,
    clientId: forms.text,
    clientSecret: forms.text,
    userLogin: forms.text,
    tpl: forms.tpl.optional(),
    callsPerSecond: forms.callsPerSecond.optional(),
    orderDetail: listOf(orderSections).optional(),
    itemDetail: listOf(itemSections).optional(),
    receiptDetail: listOf(receiptSections).optional(),
    webhook: webhookSection().optional(),
    announce: section({ url: forms.address, secret: forms.announceSecret }).optional(),
  }).superRefine(
    ({ credential, tpl, webhook }, { addIssue }) => {
      const problem = forms.tplProblem(credential, tpl);
      if (problem) addIssue({ code: 'custom', path: ['tpl'], message: problem });
      for (const [key, message] of verificationProblems(webhook, verification))
        addIssue({ code: 'custom', path: ['webhook', key], message });
    },
    { when: hasKeys },
  );
}

/** How the deliveries of a warehouse are verified: as its `webhook` says and, where that is silent, as given. */
export const verificationOf = (webhook: FileEntry['webhook'], defaults: Verification): Verification => ({
  ...defaults,
  ...webhook,
});

const webhookSection = () =>
  section({
    verify: forms.verify.exactOptional(),
    token: forms.oneOrSeveral(forms.token).exactOptional(),
    secret: forms.oneOrSeveral(forms.token).exactOptional(),
    header: forms.headerName.exactOptional(),
    encoding: forms.signatureEncoding.exactOptional(),
    prefix: forms.signaturePrefix.exactOptional(),
    toleranceMs: forms.tolerance.exactOptional(),
    user: forms.basicUser.exactOptional(),
    password: forms.oneOrSeveral(forms.token).exactOptional(),
  });

/** What a warehouse's `webhook` lacks or has wrong, by key. */
function verificationProblems(webhook: FileEntry['webhook'], defaults: Verification): [key: string, message: string][] {
  const verification = verificationOf(webhook, defaults);
  const { verify, secret } = verification;
  // A way that is not known has been told of.
  const needs = verificationNeeds[verify] ?? [];
  const missing = needs.filter((key) => webhook?.[key] === undefined && verification[key].length === 0);
  const problem = secretProblem(verify, secret);
  return [
    ...missing.map((key): [string, string] => [key, `is needed with verify: ${verify}`]),
    ...(problem ? [['secret', problem] as [string, string]] : []),
  ];
}

const NO_KEYS = 'must be keys with values';

const hasKeys = ({ value }: { readonly value: unknown }) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = <const T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values), 'must be a list');

/** An object that takes no other keys. */
function section<Shape extends z.ZodRawShape>(shape: Shape) {
  const known = Object.keys(shape);
  return z.looseObject(shape, NO_KEYS).superRefine(
    (given, { addIssue }) => {
      for (const key of Object.keys(given).filter((name) => !known.includes(name)))
        addIssue({ code: 'custom', path: [key], message: unknownKey(key, known) });
    },
    { when: hasKeys },
  );
}

function unknownKey(key: string, known: readonly string[]): string {
  const meant = nearest(key, known);
  return `is not known here; ${meant ? `did you mean ${meant}?` : `known are ${known.join(', ')}`}`;
}

/** Two warehouses with one tenant, or with one tenant behind their credentials, would mix what belongs to different tenants. */
function refuseRepeated(entries: readonly Partial<FileEntry>[], { addIssue }: z.core.$RefinementCtx<unknown>): void {
  const tenants = entries.map((entry) => entry?.tenant);
  const grants = entries.map(
    (entry) => entry?.clientId && [entry.baseUrl, entry.clientId, entry.tpl?.toLowerCase()].join('\n'),
  );
  for (const index of entries.keys()) {
    const repeat = (key: string) => addIssue({ code: 'custom', path: [index, key], message: REPEATED });
    if (isRepeated(tenants, index)) repeat('tenant');
    if (isRepeated(grants, index)) repeat(entries[index]?.tpl ? 'tpl' : 'clientId');
  }
}

const REPEATED = 'is that of another warehouse above';

const isRepeated = (values: readonly (string | undefined)[], index: number): boolean =>
  Boolean(values[index]) && values.indexOf(values[index]) < index;
