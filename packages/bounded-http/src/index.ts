export type { HttpBounds } from './connection.ts';
export { acceptsEvents, EventStream, eventText, prefersEvents } from './event-stream.ts';
export { HttpExchange, type HttpLog, pathOf } from './exchange.ts';
export { HttpFault } from './fault.ts';
export { endText, whenAnswered } from './response.ts';
export { HttpServer, type HttpServerOptions } from './server.ts';
