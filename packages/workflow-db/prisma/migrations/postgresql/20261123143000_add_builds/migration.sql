-- AlterTable
ALTER TABLE "DagRun" ADD COLUMN     "rebuild" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "DagRunStep" ADD COLUMN     "build" TEXT;
