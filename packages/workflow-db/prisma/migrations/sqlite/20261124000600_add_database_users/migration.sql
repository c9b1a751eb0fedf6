-- AlterTable
ALTER TABLE "Runner" ADD COLUMN "databaseUser" TEXT NOT NULL DEFAULT '';
