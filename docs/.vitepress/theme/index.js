// the theme without web fonts: pages look like those of the system
export { default } from 'vitepress/theme-without-fonts';
