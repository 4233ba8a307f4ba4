export { type Bundle, readBundle } from './bundle.ts';
export type { Content, DemoSignIn, Example, PageSettings, Placeholder } from './content.ts';
export { type BundlePage, graphiqlPage, referencePage } from './pages.ts';
