import type { Token } from 'markdown-it';

export function textOfTokens(tokens: readonly Token[]): string {
  // the whole text, and the open list items
  const texts = [''];
  // the number of the next item in each open list; NaN without numbers
  const numbers: number[] = [];
  const write = (text: string) => {
    texts.push(texts.pop() + text);
  };
  for (const token of tokens) {
    switch (token.type) {
      case 'inline':
        write(inlineText(token.children ?? []));
        break;
      case 'paragraph_close':
      case 'heading_close':
        write('\n\n');
        break;
      case 'fence':
      case 'code_block':
        write(`${token.content}\n`);
        break;
      case 'hr':
        write('—\n\n');
        break;
      case 'bullet_list_open':
        numbers.push(Number.NaN);
        break;
      case 'ordered_list_open':
        numbers.push(Number(token.attrGet('start') ?? 1));
        break;
      case 'list_item_open':
        texts.push('');
        break;
      case 'list_item_close': {
        const item = texts.pop() as string;
        const number = numbers.pop() as number;
        numbers.push(number + 1);
        write(`${Number.isNaN(number) ? '-' : `${number}.`} ${item.trim().replace(/\n+/g, '\n  ')}\n`);
        break;
      }
      case 'bullet_list_close':
      case 'ordered_list_close':
        numbers.pop();
        write('\n');
        break;
    }
  }
  return texts.join('').trim();
}

function inlineText(tokens: readonly Token[]): string {
  let text = '';
  let linkAt = 0;
  let address = '';
  for (const token of tokens) {
    if (token.type === 'link_open') {
      linkAt = text.length;
      // a bare address is its own text
      address = token.hidden || token.info === 'auto' ? '' : String(token.attrGet('href'));
    } else if (token.type === 'link_close') {
      if (address !== '' && text.slice(linkAt) !== address) text += ` (${address})`;
    } else {
      text += token.tag === 'br' ? '\n' : token.content;
    }
  }
  return text;
}
