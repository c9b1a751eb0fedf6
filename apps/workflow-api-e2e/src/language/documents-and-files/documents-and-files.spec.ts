import { describeFixtures } from '../../support/fixtures';

describeFixtures('documents and files', __dirname);
