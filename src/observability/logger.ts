/** Where a part tells what an operator should know: fields first, then the message, as pino has it. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
