declare module 'exceljs/lib/doc/workbook' {
  import { Workbook } from 'exceljs';

  export = Workbook;
}
