import { expect } from 'vitest';
import { startBrowser } from './browser.ts';
import { buildExplorer } from './builds.ts';

export type ExplorerPage = Awaited<ReturnType<typeof openExplorer>>;

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code: string } }[];
  extensions?: { cost: number };
}

/** Opens GraphiQL below this URL, as somebody sees it for the first time, in a browser of its own, which ends with it. */
export async function openExplorer(url: string) {
  await buildExplorer();
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60_000);
  /** The URLs of all requests so far. */
  const requests: string[] = [];
  /** Errors of the console and of the page, violations of its policy among them. */
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const introspected = page.waitForResponse((response) => response.request().method() === 'POST', { timeout: 60_000 });
  await page.goto(url);
  expect((await introspected).status()).toBe(200);
  await page.locator('.graphiql-query-editor .view-lines').first().waitFor();
  return {
    page,
    requests,
    complaints,
    /** Presses the button, and waits for the answer to the operation of this name; with the headers of the request. */
    run: async (operationName: string) => {
      const sent = page.waitForResponse(
        (response) => response.request().postDataJSON()?.operationName === operationName,
      );
      await page.getByRole('button', { name: /execute/i }).click();
      const response = await sent;
      const headers = await response.request().allHeaders();
      return { ...((await response.json()) as Answer), headers };
    },
    /** Chooses a tab, and waits until GraphiQL knows which operation it would run there. */
    openTab: async (name: string) => {
      await page.locator('.graphiql-tabs').getByRole('button', { name, exact: true }).click();
      // GraphiQL reads the name of the operation after 100 ms, and stores which tab is open after 500 ms
      await page.waitForFunction((title) => {
        const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
        return tabs?.[activeTabIndex]?.title === title;
      }, name);
    },
    /** Replaces the text of an editor. */
    write: async (editor: 'operation' | 'variables' | 'request-headers', text: string) => {
      await page.evaluate(
        ([name = '', value = '']) => {
          // GraphiQL leaves its editor there
          const { __MONACO } = globalThis as unknown as {
            __MONACO: { editor: { getModels(): { uri: { path: string }; setValue(text: string): void }[] } };
          };
          const model = __MONACO.editor.getModels().find(({ uri }) => uri.path.includes(name));
          if (!model) throw new Error(`there is no editor ${name}`);
          model.setValue(value);
        },
        [editor, text],
      );
      // GraphiQL waits a little before it reads what somebody types
      await page.waitForTimeout(500);
    },
    close: () => browser.close(),
  };
}

/** The requests that went elsewhere. */
export function foreignRequests({ requests }: ExplorerPage, url: string): string[] {
  return requests.filter((each) => !each.startsWith(`${url}/`) && !/^(data|blob):/.test(each));
}
