import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { startBrowser } from './browser.ts';
import { buildExplorer } from './explorer.ts';

/** GraphiQL in a browser, as somebody uses it who sees it for the first time. */
export interface ExplorerPage {
  page: Page;
  /** The URLs of all requests so far. */
  requests: string[];
  /** Errors of the console and of the page, violations of its policy among them. */
  complaints: string[];
  /** Presses the button, and waits for the answer to the operation of this name. */
  run(operationName: string): Promise<Answer>;
  /** Chooses a tab, and waits until GraphiQL knows which operation it would run there. */
  openTab(name: string): Promise<void>;
  /** Replaces the text of an editor. */
  write(editor: 'operation' | 'variables' | 'request-headers', text: string): Promise<void>;
  close(): Promise<void>;
}

export interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions?: { code: string } }[];
  extensions?: { cost: number };
  /** Of the request. */
  headers: Record<string, string>;
}

/** Opens GraphiQL below this URL in a browser of its own, which ends with it. */
export async function openExplorer(
  url: string,
  { colorScheme = 'light' as 'light' | 'dark' } = {},
): Promise<ExplorerPage> {
  await buildExplorer();
  const browser = await startBrowser();
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 }, colorScheme });
  page.setDefaultTimeout(60_000);
  const requests: string[] = [];
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
    run: async (operationName) => {
      const sent = page.waitForResponse(
        (response) => response.request().postDataJSON()?.operationName === operationName,
      );
      await page.getByRole('button', { name: /execute/i }).click();
      const response = await sent;
      const headers = await response.request().allHeaders();
      return { ...((await response.json()) as object), headers };
    },
    openTab: async (name) => {
      await page.locator('.graphiql-tabs').getByRole('button', { name, exact: true }).click();
      // GraphiQL reads the name of the operation after 100 ms, and stores which tab is open after 500 ms
      await page.waitForFunction((title) => {
        const { tabs, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState') ?? '{}');
        return tabs?.[activeTabIndex]?.title === title;
      }, name);
    },
    write: async (editor, text) => {
      await page.evaluate(
        ([name, value]) => {
          // GraphiQL leaves its editor there
          const { __MONACO } = globalThis as unknown as {
            __MONACO: { editor: { getModels(): { uri: { path: string }; setValue(text: string): void }[] } };
          };
          const model = __MONACO.editor.getModels().find(({ uri }) => uri.path.includes(name as string));
          if (!model) throw new Error(`there is no editor ${name}`);
          model.setValue(value as string);
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
