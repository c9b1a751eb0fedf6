export { defineMessages, type Language, type Translate, type Values } from '@weir/ui-app';
