import { describe, expect, it } from 'vitest';
import { parseRql } from '../../../../sandbox/simulator/api/rql.ts';
import { VendorError } from '../../../../sandbox/simulator/api/vendor-error.ts';

const rows = [
  {
    readOnly: { orderId: 1, isClosed: false, lastModifiedDate: '2026-02-10T23:59:59.999' },
    referenceNum: 'A 1',
    qty: 0,
  },
  { readOnly: { orderId: 2, isClosed: true, lastModifiedDate: '2026-02-11T00:00:00.000' }, referenceNum: '' },
  {
    readOnly: { orderId: 10, isClosed: false, lastModifiedDate: '2026-02-11T08:30:00.000' },
    referenceNum: 'RED',
    poNum: 'P',
  },
];

const found = (rql: string) => rows.filter(parseRql(rql)).map(({ readOnly }) => readOnly.orderId);

describe('a filter', () => {
  it.each<[string, number[]]>([
    ['', [1, 2, 10]],
    ['readOnly.orderId==2', [2]],
    ['readOnly.orderId=gt=2', [10]],
    ['readOnly.orderId=ge=2', [2, 10]],
    ['readOnly.orderId=in=(1,10,11)', [1, 10]],
    ['readonly.ISCLOSED==false', [1, 10]],
    ['ReadOnly.LastModifiedDate=ge=2026-02-11T00:00:00', [2, 10]],
    ['ReadOnly.LastModifiedDate=lt=2026-02-11', [1]],
    ['referenceNum=="A 1"', [1]],
    ['referenceNum==""', [2]],
    ['referenceNum==', [2]],
    ['referenceNum==red', [10]],
    ['referenceNum==R*', [10]],
    ['referenceNum==*e*', [10]],
    ['referenceNum==r.d', []],
    ['referenceNum==*', [1, 2, 10]],
    ['referenceNum=in=(r*,"a 1")', [1, 10]],
    ['referenceNum=out=(red,"A 1")', [2]],
    ['referenceNum=hv=true', [1, 10]],
    ['poNum=hv=false', [1, 2]],
    ['poNum==', [1, 2]],
    ['poNum==P', [10]],
    ['readOnly.orderId==two', []],
    ['nothing.of.that==1', []],
    ['qty==0', [1]],
    ['qty==""', [2, 10]],
  ])('%s finds %j', (rql, ids) => {
    expect(found(rql)).toEqual(ids);
  });

  it.each<[string, number[]]>([
    ['readOnly.orderId=ge=2;readOnly.isClosed==false', [10]],
    ['readOnly.orderId==1,readOnly.orderId==2', [1, 2]],
    ['readOnly.orderId==1,readOnly.isClosed==false;referenceNum==RED', [1, 10]],
    ['(readOnly.orderId==1,readOnly.isClosed==false);referenceNum==RED', [10]],
  ])('%s finds %j: "and" binds tighter than "or"', (rql, ids) => {
    expect(found(rql)).toEqual(ids);
  });

  it.each([
    'readOnly.orderId',
    'readOnly.orderId=in=1',
    'readOnly.orderId==(1,2)',
    'readOnly.orderId=like=1',
    'readOnly.orderId=out=1',
    'readOnly.orderId=hv=1',
    'readOnly.orderId=gt=',
    'readOnly.orderId==1;',
    '(readOnly.orderId==1',
    'a b==1',
    '==1',
    '==',
  ])('%s is refused', (rql) => {
    expect(() => parseRql(rql)).toThrow(VendorError);
  });
});
