export * from './field.ts';
export * from './html.ts';
