import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { standardPaths } from '../../src/domain/catalogue/operation.ts';
import { standardProperties } from '../../src/domain/catalogue/properties.ts';
import { loadWarehouse } from '../config/load-file.ts';
import { unreachable } from '../support/warehouse-variables.ts';

const load = (env: Readonly<Record<string, string>>) => loadConfig({ ...unreachable, ...env }).tenants[0];

describe('the paths and properties of a warehouse', () => {
  it('are the standard ones unless they are set', () => {
    expect(load({})).toMatchObject({ paths: standardPaths, properties: standardProperties });
  });

  it('can be set one by one in a variable', () => {
    const settings = load({
      WAREHOUSE_PATHS: 'getAdjustment=/adjustments/{id}?detail=All, webhookKey=/keys/webhook',
      WAREHOUSE_PROPERTIES: 'order.changed=ReadOnly.ModifiedOn,stock.item=itemId',
    });
    expect(settings?.paths).toEqual({
      ...standardPaths,
      getAdjustment: '/adjustments/{id}?detail=All',
      webhookKey: '/keys/webhook',
    });
    expect(settings?.properties).toEqual({
      ...standardProperties,
      'order.changed': 'ReadOnly.ModifiedOn',
      'stock.item': 'itemId',
    });
  });

  it('can be set in the file, each beside the standard ones', () => {
    const settings = loadWarehouse({ paths: { getUser: '/people/{id}' }, properties: { 'order.id': 'id' } });
    expect(settings?.paths).toEqual({ ...standardPaths, getUser: '/people/{id}' });
    expect(settings?.properties).toEqual({ ...standardProperties, 'order.id': 'id' });
  });

  it.each([
    ['WAREHOUSE_PATHS', 'getUser=/users', 'getUser must contain {id} once, and no other id in braces'],
    [
      'WAREHOUSE_PATHS',
      'getOrdersItem=/items/{id}',
      'getOrdersItem must contain {id} and {orderItemId} once, and no other id in braces',
    ],
    ['WAREHOUSE_PATHS', 'getUser=/users/{id}/{name}', 'getUser must contain {id} once, and no other id in braces'],
    ['WAREHOUSE_PATHS', 'getOrders=/orders/{id}', 'getOrders must not contain an id in braces'],
    ['WAREHOUSE_PATHS', 'getUser=users/{id}', 'getUser must be a path that begins with /'],
    ['WAREHOUSE_PATHS', 'getUsers=/users/{id}', 'getUsers is not known here; did you mean getUser?'],
    ['WAREHOUSE_PATHS', 'getUser=/a/{id},getUser=/b/{id}', 'must be name=value, separated by commas, each name once'],
    ['WAREHOUSE_PATHS', '/users/{id}', 'must be name=value, separated by commas, each name once'],
    ['WAREHOUSE_PROPERTIES', 'order.changed=a;b==1', 'order.changed must be a name such as readOnly.lastModifiedDate'],
    [
      'WAREHOUSE_PROPERTIES',
      'order.modified=a',
      'order.modified is not known here; known are order.id, order.changed, ',
    ],
  ])('%s=%s is refused: %s', (name, value, problem) => {
    expect(() => load({ [name]: value })).toThrow(`The configuration has errors:\n  ${name}: ${problem}`);
  });

  it('are refused with their line in the file', () => {
    expect(() => loadWarehouse({ paths: { getUser: '/people' } })).toThrow(
      /line 11: paths\.getUser: must contain \{id\} once/,
    );
  });
});
