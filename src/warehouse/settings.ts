import { z } from 'zod';
import { placeholdersOf, standardPaths } from '../domain/catalogue/operation.ts';
import { standardProperties } from '../domain/catalogue/properties.ts';
import { advicePlaces } from '../domain/kinds/advice.ts';
import { itemSections, orderSections } from '../domain/kinds/order/order.ts';
import { receiptSections } from '../domain/kinds/receipt/receipt.ts';
import { address, text } from '../forms/forms.ts';
import { section } from '../forms/section.ts';

const listOf = <const T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values), 'must be a list');

function replacing<Standard extends Readonly<Record<string, string>>>(
  standard: Standard,
  formOf: (standard: string) => z.ZodType<string>,
  describe: (name: string) => string,
) {
  const shape = Object.fromEntries(
    Object.entries(standard).map(([name, value]) => [name, formOf(value).default(value).describe(describe(name))]),
  );
  return section(shape) as z.ZodType as z.ZodType<Standard, Partial<Standard>>;
}

function pathForm(standard: string) {
  const needed = placeholdersOf(standard);
  return z
    .string()
    .regex(/^\/[^\s#]*$/, 'must be a path that begins with /')
    .refine((path) => hasSame(placeholdersOf(path), needed), describePlaceholders(needed));
}

const hasSame = (given: readonly string[], needed: readonly string[]): boolean =>
  given.toSorted().join() === needed.toSorted().join();

function describePlaceholders(needed: readonly string[]): string {
  if (needed.length === 0) return 'must not contain an id in braces';
  return `must contain ${needed.map((name) => `{${name}}`).join(' and ')} once, and no other id in braces`;
}

const propertyForm = () => z.string().regex(/^\w+(\.\w+)*$/, 'must be a name such as readOnly.lastModifiedDate');

const properties: Readonly<Record<string, string>> = {
  id: 'Id of the record; filters known ones, and orders the rows of a listing.',
  changed: 'Time of the last change; filters those that changed since the last sweep.',
  closed: 'Whether it is closed; filters open ones.',
  facility: 'Facility of the stock; filters that of one.',
  item: 'Item of the stock; filters that of one.',
};

function describeProperty(name: string): string {
  const [kind, what = ''] = name.split('.');
  const isListed = `${kind}.changed` in standardProperties || what !== 'id';
  if (name in advicePlaces) return `Place of \`${what}\`, which the advice of announcements has.`;
  return (isListed ? properties[what] : undefined) ?? 'Id of the record.';
}

/** Settings that give access to a warehouse. Those of variables are no default of others. */
export const accessForms = {
  tenant: z
    .string()
    .regex(/^[\w-]{1,24}$/, 'must be of letters, digits, hyphens and underscores, at most 24')
    .describe('Id of the warehouse (tplId). It is part of workflow ids, task queues and addresses.'),
  baseUrl: address.describe("Base address of the warehouse's REST API."),
  authUrl: address.describe('Address of the server that issues access tokens. The path `token` is appended.'),
  clientId: text.describe('Client id of the OAuth 2.0 client credentials.'),
  clientSecret: text.describe(
    `Client secret of these credentials. In a file, name a variable that has it: \`\${WAREHOUSE_SECRET}\`.`,
  ),
  userLogin: text.describe(
    'Login, or its id, of the user that the warehouse created for this integration. Tokens are requested on its behalf.',
  ),
  tpl: z
    .guid('must be a GUID')
    .optional()
    .describe(
      'Only for a single-tenant dynamic credential, which needs it: the GUID of the warehouse account in token requests (specification 2.1).',
    ),
};

export const clientForms = {
  orderDetail: listOf(orderSections)
    .default(['orderItems', 'savedElements', 'smallParcel', 'packages'])
    .describe(
      `Sections to fetch with each order, of ${orderSections.join(', ')}. Tracking numbers are in smallParcel and packages.`,
    ),
  itemDetail: listOf(itemSections)
    .default([])
    .describe(`Sections to fetch with each line of an order, of ${itemSections.join(', ')}.`),
  receiptDetail: listOf(receiptSections)
    .default(['ReceiveItems'])
    .describe(`Sections to fetch with each receipt, of ${receiptSections.join(', ')}.`),
  paths: replacing(standardPaths, pathForm, (name) => `Path of ${name}, with the ids of the standard one in braces.`)
    .prefault({})
    .describe('Paths that differ from the standard ones.'),
  properties: replacing(standardProperties, propertyForm, describeProperty)
    .prefault({})
    .describe('Properties of records that differ from the standard ones, as dotted paths.'),
  callsPerSecond: z.coerce
    .number('must be a number')
    .positive('must be more than 0')
    .default(5)
    .describe(
      'GETs per second, by all processes together. Warehouses do not publish their limit; the simulated one allows 200.',
    ),
};
