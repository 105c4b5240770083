import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toReceiptAdvice, toShippingAdvice } from '../../../consumer/examples/connectors/x12.ts';
import { createX12Connector } from '../../../consumer/examples/connectors/x12-files.ts';
import { announcementWith } from './announcement.ts';

const envelope = {
  sender: ['ZZ', 'WAREHOUSE'],
  receiver: ['ZZ', 'DEPOSITOR'],
  usage: 'P',
  control: 42,
  at: new Date('2026-02-11T16:42:19Z'),
} as const;

const order = {
  orderNumber: 'WEB-1042',
  poNumber: 'PO 77',
  facility: { id: '12', name: 'Reno' },
  isShipped: true,
  shippedAt: '2026-02-11T10:42:19',
  carrier: { name: 'UPS', scac: 'UPSN' },
  billOfLading: 'BOL 5',
  trackingNumbers: ['1Z1'],
  shipTo: {
    company: 'Corner*Store~',
    lines: ['1 High St'],
    city: 'Austin',
    region: 'TX',
    postalCode: '78701',
    country: 'US',
  },
  lines: [
    {
      lineId: '11',
      sku: 'MUG',
      unit: 'Each',
      ordered: 12,
      shipped: 10,
      short: 2,
      lots: [{ lotNumber: 'L1', serialNumbers: ['S1'], quantity: 10 }],
    },
    { lineId: '12', sku: 'TEA', unit: 'Pound', ordered: 0.3, shipped: 0.3, short: 0 },
    { lineId: '13', sku: 'CUP', unit: 'Each', ordered: 1, shipped: 0, short: 1 },
  ],
  parcels: [
    {
      id: '5',
      trackingNumber: '1Z1',
      sscc: '340123450000000012',
      lines: [
        { lineId: '11', quantity: 10 },
        { lineId: '12', quantity: 0.3 },
      ],
    },
  ],
  totals: { lines: 3, units: 10.3, parcels: 1, weight: 4.5 },
};

const receipt = {
  receiptNumber: 'RC-7',
  facility: { id: '12', name: 'Reno' },
  arrivedAt: '2026-02-11T08:00:00',
  lines: [
    { lineId: '1', sku: 'MUG', unit: 'Each', expected: 100, received: 98, difference: -2 },
    {
      lineId: '2',
      sku: 'MUG',
      unit: 'Each',
      expected: 0,
      received: 2,
      difference: 2,
      isOnHold: true,
      holdReason: 'Damaged',
    },
    { lineId: '3', sku: 'TEA', unit: 'Each', expected: 5, received: 6, difference: 1, lots: [{ lotNumber: 'L9' }] },
  ],
};

describe('an X12 document', () => {
  it('945 says what shipped of each line, in which parcels, and what is short', () => {
    const text = toShippingAdvice(order, envelope);
    expect(text.split('~\n')).toEqual([
      'ISA*00*          *00*          *ZZ*WAREHOUSE      *ZZ*DEPOSITOR      *260211*1642*U*00401*000000042*0*P*>',
      'GS*SW*WAREHOUSE*DEPOSITOR*20260211*1642*42*X*004010',
      'ST*945*0001',
      'W06*F*WEB-1042*20260211*BOL 5**PO 77',
      'N1*WH*Reno*92*12',
      'N1*ST*Corner Store',
      'N3*1 High St',
      'N4*Austin*TX*78701*US',
      'N9*BM*BOL 5',
      'N9*2I*1Z1',
      'G62*11*20260211',
      'W27*U*UPSN*UPS',
      'LX*1',
      'MAN*GM*340123450000000012',
      'MAN*CP*1Z1',
      'W12*CP*12*10*2*EA**SK*MUG',
      'N9*LI*11',
      'N9*LT*L1',
      'N9*SE*S1',
      'LX*2',
      'MAN*GM*340123450000000012',
      'MAN*CP*1Z1',
      'W12*CC*0.3*0.3*0*LB**SK*TEA',
      'N9*LI*12',
      'LX*3',
      'W12*BK*1*0*1*EA**SK*CUP',
      'N9*LI*13',
      'W03*10.3*4.5*LB',
      'SE*27*0001',
      'GE*1*42',
      'IEA*1*000000042',
      '',
    ]);
  });

  it('944 says what was received, with what was too few, too many or damaged', () => {
    const text = toReceiptAdvice(receipt, envelope);
    expect(text.split('~\n').slice(3, -4)).toEqual([
      'W17*F*20260211*RC-7*RC-7',
      'N1*WH*Reno*92*12',
      'W08*M',
      'W07*98*EA**SK*MUG',
      'N9*LI*1',
      'W13*2*EA*02',
      'W07*2*EA**SK*MUG',
      'N9*LI*2',
      'W13*2*EA*01***Damaged',
      'W07*6*EA**SK*TEA',
      'N9*LI*3',
      'N9*LT*L9',
      'W13*1*EA*03',
      'W14*106',
    ]);
  });

  it('has no control number that X12 has not', () => {
    for (const control of [0, 1_000_000_000, 1.5, Number.NaN])
      expect(() => toShippingAdvice(order, { ...envelope, control })).toThrow('no control number');
  });
});

describe('the files', () => {
  const open = (folder: string, time: string) => createX12Connector({ ...envelope, folder, now: () => new Date(time) });

  it('have a control number for each announcement, which never repeats, and the same bytes if it is taken again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'x12-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const database = new DatabaseSync(':memory:');
    const take = async (connector: ReturnType<typeof open>, type: string, advice: object, id: string) =>
      connector(announcementWith(type, advice, id), database);
    const files = () => readdirSync(folder).filter((name) => name.endsWith('.x12'));
    const before = open(folder, '2026-02-11T16:00:00Z');
    await take(before, 'order.confirmed', order, 'order:1/5/confirmed');
    await take(before, 'receipt.confirmed', receipt, 'receipt:1/3/confirmed');
    await take(before, 'order.updated', order, 'order:1/6/updated');
    expect(files()).toEqual(['944-2.x12', '945-1.x12']);
    const bytes = readFileSync(join(folder, '945-1.x12'), 'utf8');
    const restarted = open(folder, '2026-02-12T09:00:00Z');
    await take(restarted, 'order.confirmed', order, 'order:1/5/confirmed');
    expect(readFileSync(join(folder, '945-1.x12'), 'utf8')).toBe(bytes);
    await take(restarted, 'order.confirmed', order, 'order:1/8/confirmed');
    expect(files()).toEqual(['944-2.x12', '945-1.x12', '945-3.x12']);
    expect(readFileSync(join(folder, '945-3.x12'), 'utf8')).toMatch(
      /^ISA.*\*000000003\*0\*P\*>~\nGS.*\*3\*X\*004010~\n.*GE\*1\*3~\nIEA\*1\*000000003~\n$/s,
    );
  });
});
