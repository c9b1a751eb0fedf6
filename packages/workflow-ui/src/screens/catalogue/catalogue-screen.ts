export { Catalogue as CatalogueScreen } from '@weir/ui-kit/catalogue';
