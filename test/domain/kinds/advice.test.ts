import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SubjectKind, subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import { adviceForm, advicePlaces, memberPaths, readAdvice } from '../../../src/domain/kinds/advice.ts';

const goods = { itemIdentifier: { sku: 'MUG', id: 7 }, qualifier: 'RED', qty: 12.5, lotNumber: 'L1' };
const parties = { customerIdentifier: { id: 418, name: 'Cobalt' }, facilityIdentifier: { id: 12, name: 'Reno' } };

/** A record of each kind, in camelCase, with what its advice is read from. */
const records: Readonly<Record<SubjectKind, Readonly<Record<string, unknown>>>> = {
  order: {
    referenceNum: 'WEB-1',
    routingInfo: { carrier: 'UPS', scacCode: 'UPSN', trackingNumber: '1Z1234567' },
    shipTo: { name: 'A. Example', address1: '1 High St', city: 'Austin' },
    readOnly: {
      ...parties,
      orderId: 31,
      status: 1,
      packages: [{ packageId: 5, packageContents: [{ orderItemId: 11, qty: 10.5, serialNumbers: ['S1', 'S2'] }] }],
    },
    orderItems: [{ ...goods, readOnly: { orderItemId: 11, fullyAllocated: true } }],
  },
  receipt: {
    referenceNum: 'RC-1',
    arrivalDate: '2026-02-11T08:00:00',
    readOnly: { ...parties, receiverId: 7, status: 1 },
    receiveItems: [
      { ...goods, expectedQty: 14, readOnly: { receiveItemId: 3 }, onHold: true, onHoldReason: 'Damaged' },
    ],
  },
  adjustment: {
    referenceNum: 'AD-1',
    reason: 'Recount',
    readOnly: { ...parties, adjustmentId: 8 },
    adjustmentItems: [{ ...goods, qty: -2 }],
  },
  assembly: {
    referenceNum: 'AS-1',
    readOnly: { ...parties, assemblyId: 9 },
    ...goods,
    components: [{ ...goods, qty: -25 }],
  },
  item: {
    itemId: 7,
    sku: 'MUG',
    description: 'A mug',
    upc: '012345678905',
    readOnly: { customerIdentifier: { id: 418 }, deactivated: false },
  },
  stock: { ...goods, facilityId: 12, totalReceived: 20, allocated: 8, available: 0, onHold: 1.5, onHand: 12 },
  hold: { ...goods, readOnly: { ...parties, receiveItemId: 3 }, onHold: true, onHoldReason: 'Inspection' },
};

const mapped = (value: unknown, of: (members: [string, unknown][]) => [string, unknown][]): unknown => {
  if (Array.isArray(value)) return value.map((element) => mapped(element, of));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(of(Object.entries(value)).map(([name, member]) => [name, mapped(member, of)]));
};

/** Forms of one record that say the same. */
const forms: Readonly<Record<string, (record: unknown) => unknown>> = {
  'in PascalCase': (record) =>
    mapped(record, (all) => all.map(([name, it]) => [name.charAt(0).toUpperCase() + name.slice(1), it])),
  'with its members in another order': (record) => mapped(record, (all) => all.toReversed()),
  'with further members': (record) =>
    mapped(record, (all) => [['unheardOf', 7], ...all, ['furtherQty', 'x'], ['weightless', null]]),
  'with empty sections': (record) => ({
    billing: { billingCharges: [] },
    savedElements: [],
    parcelOption: null,
    ...(record as object),
  }),
  'with amounts as texts': (record) =>
    mapped(record, (all) => all.map(([name, it]) => [name, /qty$/i.test(name) ? String(it) : it])),
};

describe.each(subjectKinds)('the advice of a record of kind %s', (kind) => {
  const read = (record: unknown) => readAdvice(kind, record, advicePlaces);

  it('says something, in its form', () => {
    const advice = read(records[kind]);
    expect(Object.keys(advice).length).toBeGreaterThan(2);
    expect(adviceForm(kind).parse(advice)).toEqual(advice);
  });

  it.each(Object.entries(forms))('is the same %s', (_, form) => {
    expect(read(form(records[kind]))).toEqual(read(records[kind]));
  });

  it('of anything throws nothing, and has no number that was not written, or follows from what was', () => {
    const names = fc.constantFrom(...namesIn(records[kind]));
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(null, '', 'x', true, -1, 0, 2.5, '12', '1e3', 1e21, '0x10', ' 7 ', '2026-02-11T00:00:00'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(names, tie('tree'), { maxKeys: 6 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (record) => {
        const advice = read(record);
        expect(adviceForm(kind).safeParse(advice).error).toBeUndefined();
        const said = numbersIn(advice);
        if (!/\d/.test(JSON.stringify(record)))
          expect(said.filter((number) => number !== 0 && !isCount(advice))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

/** Numbers that count elements are of what is there. */
const isCount = (advice: object): boolean => 'totals' in advice;

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...namesIn(member)]);
}

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

it('a receipt of 5,000 lines with 20,000 serial numbers is cut, within a megabyte, and says how many lines it has', () => {
  const line = (index: number) => ({
    ...goods,
    readOnly: { receiveItemId: index + 1 },
    serialNumbers: Array.from({ length: 4 }, (_, number) => `SERIAL-${index}-${number}`),
  });
  const receiveItems = Array.from({ length: 5000 }, (_, index) => line(index));
  const advice = readAdvice('receipt', { readOnly: { receiverId: 7, status: 1 }, receiveItems }, advicePlaces);
  expect(advice).toMatchObject({ isCut: true, totals: { lines: 5000 } });
  expect(Buffer.byteLength(JSON.stringify(advice))).toBeLessThan(1_000_000);
});

it('the members that can be omitted are those of all forms, by their paths', () => {
  for (const path of ['shipTo', 'shipTo.phone', 'lines.lots.serialNumbers', 'parcels.weight', 'charges', 'reason'])
    expect(memberPaths).toContain(path);
  for (const path of ['phone', 'shipto.phone', 'lines.0', '', 'order']) expect(memberPaths).not.toContain(path);
});
