# lxml: XPath, a schema, a style sheet, HTML as it is found, and the network that is not there.
# SPDX-License-Identifier: MIT
from lxml import etree, html

root = etree.Element("shop")
for number in range(200):
    item = etree.SubElement(root, "item", id=str(number))
    etree.SubElement(item, "price").text = str(number % 13)
tree = etree.ElementTree(root)
tree.write("shop.xml", xml_declaration=True, encoding="utf-8", pretty_print=True)
parsed = etree.parse("shop.xml")
assert len(parsed.xpath("//item[price > 10]/@id")) == 30

schema = etree.XMLSchema(etree.XML(
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="a" type="xs:int"/>'
    "</xs:schema>"))
assert schema.validate(etree.XML("<a>5</a>")) and not schema.validate(etree.XML("<a>x</a>"))

sheet = etree.XSLT(etree.XML(
    '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
    '<xsl:output method="text"/>'
    '<xsl:template match="/"><xsl:value-of select="sum(//price)"/></xsl:template>'
    "</xsl:stylesheet>"))
page = html.fromstring("<p>one<p>two <a href='/x'>link</a><table><tr><td>1<td>2</table>")
assert [p.text for p in page.xpath("//p")] == ["one", "two "]

try:
    etree.parse("http://example.org/a.xml")
except OSError as error:
    refused = type(error).__name__
print("lxml", str(sheet(parsed)).strip(), page.xpath("//a/@href"), refused)
