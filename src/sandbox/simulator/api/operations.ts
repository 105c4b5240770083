import { type PathName, standardPaths } from '../../../domain/catalogue/paths.ts';

/** Operation that needs a token and that a role may lack. */
export type ApiOperation = Exclude<PathName, 'token' | 'webhookKey'>;

const { token: _token, webhookKey: _webhookKey, ...operations } = standardPaths;

/** Operations that the simulator serves. */
export const apiOperations = Object.keys(operations) as [ApiOperation, ...ApiOperation[]];
